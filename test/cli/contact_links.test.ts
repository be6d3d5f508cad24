import { describe, expect, test } from "vitest";
import { contactLinksOf } from "../../src/cli/contact_links.ts";
import type { Page } from "../../src/page.ts";
import { extractLinks } from "../../src/web/links.ts";

const found = (html: string) =>
  contactLinksOf({ links: extractLinks(html, "https://a.test/").links } as unknown as Page).map(
    ({ kind, url }) => `${kind} ${url}`,
  );

describe("contactLinksOf()", () => {
  test.each([
    ["https://www.facebook.com/shop", "social"],
    ["https://x.com/shop", "social"],
    ["https://github.com/shop", "social"],
    ["https://de.linkedin.com/company/shop", "social"],
    ["tel:+49301234", "contact"],
    ["/contact-us", "contact"],
    ["/impressum.html", "contact"],
    ["/%D0%BA%D0%BE%D0%BD%D1%82%D0%B0%D0%BA%D1%82%D1%8B", "contact"],
  ])("takes %s", (href, kind) => {
    const [first = ""] = found(`<a href="${href}">x</a>`);
    expect(first.startsWith(`${kind} `)).toBe(true);
  });

  test.each([
    "https://www.facebook.com/sharer/sharer.php?u=x",
    "https://twitter.com/intent/tweet?text=x",
    "https://x.com/",
    "https://notfacebook.com/shop",
    "/contactless-payment",
    "mailto:me@a.test",
    "javascript:contact()",
  ])("takes %s for none", (href) => {
    expect(found(`<a href="${href}">x</a>`)).toEqual([]);
  });

  test("knows a page for contact by its link's text, a profile by rel=me, and each once", () => {
    expect(found(`<a href="/c?1">Contact us</a><a href="/c?1#form">Kontakt</a>`)).toEqual([
      "contact https://a.test/c?1",
    ]);
    expect(found(`<a rel="me nofollow" href="https://social.test/@shop">us</a>`)).toEqual([
      "social https://social.test/@shop",
    ]);
  });
});
