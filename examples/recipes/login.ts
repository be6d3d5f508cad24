// Pages behind a login form: the form is sent first, and its cookie is kept for the crawl. The password comes from the
// environment, so that it stands in no history of commands.
//
//   PASSWORD=secret npx tsx examples/recipes/login.ts https://example.com/login https://example.com/members/ ann
import process from "node:process";
import { crawl } from "../../mod.ts";

const [, , form = "https://example.com/login", start = "https://example.com/members/", user = ""] =
  process.argv;
const { PASSWORD: password = "" } = process.env;

const login = {
  url: form,
  tag: "login",
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams({ user, password }).toString(),
};
// A link that logs out would end the session.
const pages = crawl(login, { cookies: true, exclude: "*logout*" });
for await (const page of pages) {
  if (page.request.tag === "login") {
    // Many sites answer 200 to a wrong password, with the form once more.
    if (!page.ok || page.text.includes('type="password"')) throw new Error("The login was refused");
    await pages.add(start);
  } else if (page.status === 401 || page.status === 403) {
    await pages.stop("the session has ended");
  }
  console.log(page.status, page.url, page.title);
}
console.log(pages.stats.finishDetail ?? pages.stats.finishReason);
