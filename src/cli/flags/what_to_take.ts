import { bloomOf, contentTypesOf, nearDistanceOf } from "../flag_forms.ts";
import { BYTES, choiceKind, formKind, SWITCH } from "../flag_kinds.ts";
import { type Flag, option } from "./flag.ts";

export const WHAT_TO_TAKE: readonly Flag[] = [
  {
    name: "content-types",
    kind: formKind("TYPES", "media types with a comma between, or any", contentTypesOf),
    target: option("contentTypes"),
    meaning: "media types whose body is read, with a comma between; image/* is all of a kind; or any",
    default: "HTML, XHTML, XML, plain text",
    example: "text/html,application/pdf",
  },
  {
    name: "max-body",
    kind: BYTES,
    target: option("maxBodyBytes"),
    meaning: "longest body; a longer one is a failure, too-large",
    default: "10MiB",
    example: "2MB",
  },
  {
    name: "traps",
    kind: SWITCH,
    target: option("traps"),
    meaning: "leave links alone whose URLs show that they never end",
    default: "on",
  },
  {
    name: "near-duplicates",
    kind: choiceKind("WAY", { mark: true, follow: { links: true }, skip: { skip: true }, no: false }),
    target: option("nearDuplicates"),
    meaning:
      "pages with nearly the same text as one before: mark (their links are not followed), follow (they are), skip, no",
    default: "no",
    example: "skip",
  },
  {
    name: "near-distance",
    kind: formKind("N", "a whole number from 0 to 8", nearDistanceOf),
    target: option("nearDuplicates.distance"),
    meaning: "how far near duplicates may differ, in bits of a digest: 0 to 8; alone it means mark",
    default: "3",
    example: "1",
  },
  {
    name: "strip-tracking",
    kind: SWITCH,
    target: option("keys.stripTrackingParams"),
    meaning: "URLs that differ in utm_source and the like alone count as one",
    default: "off",
  },
  {
    name: "sort-query",
    kind: SWITCH,
    target: option("keys.sortQuery"),
    meaning: "URLs whose query has the same parts in another order count as one",
    default: "off",
  },
  {
    name: "trailing-slash",
    kind: choiceKind("WAY", { keep: "keep", drop: "drop" }),
    target: option("keys.trailingSlash"),
    meaning: "keep, or drop: /a/ and /a count as one",
    default: "keep",
    example: "drop",
  },
  {
    name: "bloom",
    kind: formKind("N", "a whole number of at least 1, or N:SHARE with a share between 0 and 1", bloomOf),
    target: option("seen"),
    meaning:
      "remember up to N URLs by a Bloom filter: a tenth of the memory, 1% of new URLs lost; N:SHARE loses that share",
    default: "exact",
    example: "1000000",
  },
];
