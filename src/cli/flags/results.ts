import { webUrl } from "../flag_forms.ts";
import { formKind, listKind, SWITCH, textKind } from "../flag_kinds.ts";
import { type Flag, wish } from "./flag.ts";

const FILE = textKind("FILE");

export const RESULTS: readonly Flag[] = [
  {
    name: "jsonl",
    kind: FILE,
    target: wish("jsonl"),
    meaning: "results as JSON Lines; - is standard output",
    example: "crawl.jsonl",
  },
  {
    name: "csv",
    kind: FILE,
    target: wish("csv"),
    meaning: "results as CSV; - is standard output",
    example: "crawl.csv",
  },
  {
    name: "fields",
    kind: listKind("NAMES", "names of fields with a comma between", (word) => /^\w+$/.test(word)),
    target: wish("fields"),
    meaning: "what --jsonl and --csv tell of a result, in this order",
    default: "all that is small",
    example: "url,status,title",
  },
  {
    name: "out",
    kind: textKind("FOLDER"),
    target: wish("out"),
    meaning: "pages as files",
    example: "site",
  },
  {
    name: "offline",
    kind: SWITCH,
    target: wish("offline"),
    meaning: "with --out: links between the saved pages lead from file to file",
    default: "off",
  },
  {
    name: "warc",
    kind: formKind("FILE", "a path that ends in .warc.gz", (text) =>
      text.endsWith(".warc.gz") ? text : undefined,
    ),
    target: wish("warc"),
    meaning: "pages as a web archive; needs the package warcio",
    example: "site.warc.gz",
  },
  {
    name: "links",
    kind: FILE,
    target: wish("links"),
    meaning: "broken links with the pages on which they stand, as CSV",
    example: "broken.csv",
  },
  {
    name: "emails",
    kind: formKind("FILE", "a path that ends in .csv or .json", (text) =>
      /\.(?:csv|json)$/i.test(text) ? text : undefined,
    ),
    target: wish("emails"),
    meaning: "e-mail addresses with the pages on which they stand, as CSV or JSON",
    example: "found.csv",
  },
  {
    name: "verify-mx",
    kind: SWITCH,
    target: wish("verifyMx"),
    meaning: "with --emails: leave out addresses of domains that do not exist",
    default: "off",
  },
  {
    name: "dns-over-https",
    kind: formKind("URL", "a URL of https", (text) => (text.startsWith("https:") ? webUrl(text) : undefined)),
    target: wish("dnsOverHttps"),
    meaning: "with --verify-mx: ask this resolver in place of the system's (RFC 8484)",
    example: "https://dns.example.com/dns-query",
  },
  {
    name: "replace",
    kind: SWITCH,
    target: wish("replace"),
    meaning: "write output files anew; without it they are continued, and nothing stands in them twice",
    default: "off",
  },
  {
    name: "resume",
    kind: FILE,
    target: wish("resume"),
    meaning: "keep the crawl in this file, and go on with it where it is there",
    example: "state.db",
  },
  {
    name: "revalidate",
    kind: FILE,
    target: wish("revalidate"),
    meaning:
      "keep in this file by what pages can be asked whether they have changed, and ask those that are in it",
    example: "known.jsonl",
  },
  {
    name: "quiet",
    kind: SWITCH,
    target: wish("quiet"),
    meaning: "write nothing to standard error but the summary, as one line of JSON",
    default: "off",
  },
];
