import { headerOf, webUrl } from "../flag_forms.ts";
import { countKind, formKind, manyKind, SWITCH, textKind } from "../flag_kinds.ts";
import { type Flag, option, wish } from "./flag.ts";

export const HOW_TO_ASK: readonly Flag[] = [
  {
    name: "user-agent",
    kind: textKind("TEXT"),
    target: option("userAgent"),
    meaning: "sent with every request; its part before / is looked up in robots.txt",
    default: "dragline/VERSION",
    example: "MyBot/1.0 (+https://example.com/bot)",
  },
  {
    name: "header",
    kind: manyKind("'NAME: VALUE'", "a header such as 'Accept-Language: de'", headerOf),
    target: option("headers"),
    meaning:
      "sent with every request, a Cookie or Authorization to the origins given here alone; may be repeated",
    example: "Accept-Language: de",
  },
  {
    name: "cookies",
    kind: SWITCH,
    target: option("cookies"),
    meaning: "keep cookies for the crawl",
    default: "off",
  },
  {
    name: "proxy",
    kind: formKind("URL", "a URL of http or https", webUrl),
    target: wish("proxy"),
    meaning: "send every request through this proxy; Node.js before 24.14 needs the package undici",
    example: "http://127.0.0.1:3128",
  },
  {
    name: "max-redirects",
    kind: countKind(0, "limit"),
    target: option("maxRedirects"),
    meaning: "hops of one redirect chain",
    default: "10",
    example: "3",
  },
];
