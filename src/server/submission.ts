import { nearestName } from "../nearest.ts";
import type { CrawlOptions } from "../options.ts";
import { checkedSeed, type SeedObject } from "../seed.ts";
import type { CrawlLimits } from "./crawl_limits.ts";
import { type FieldFault, fieldProblem, Problem } from "./problem.ts";
import { optionFaults, publicUrl } from "./submitted_options.ts";

/** A crawl as a client asks for it, checked. */
export interface Submission {
  readonly seeds: readonly SeedObject[];
  /** As the client sent them, and no others. */
  readonly options: CrawlOptions;
  /** `"read"`: not before somebody reads its results. */
  readonly start: "now" | "read";
}

const MAX_SEED_LENGTH = 2000;
const SEED_FIELDS = ["url", "tag", "priority", "depth"];
const FIELDS = ["seeds", "options", "start"];

/**
 * Reads the body of a request for a crawl: `{ seeds, options?, start? }`, where `seeds` is one seed or a list, and a
 * seed is a URL or `{ url, tag?, priority?, depth? }`.
 *
 * @throws {Problem} 400, naming every field that is wrong
 */
export function readSubmission(text: string, limits: CrawlLimits, allowsPrivate: boolean): Submission {
  const body = parsed(text);
  const { seeds, options = {}, start = "now" } = body;
  const faults: FieldFault[] = Object.keys(body).flatMap(unknownFieldFaults);
  const list = Array.isArray(seeds) ? seeds : seeds === undefined ? [] : [seeds];
  faults.push(...seedsFaults(list, Array.isArray(seeds), limits, allowsPrivate));
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    faults.push({ pointer: "#/options", detail: "options must be an object" });
  } else {
    faults.push(...optionFaults(options as Record<string, unknown>, limits, allowsPrivate));
  }
  if (start !== "now" && start !== "read") {
    faults.push({ pointer: "#/start", detail: 'start must be "now" or "read"' });
  }
  if (faults.length > 0) throw fieldProblem(faults);
  return {
    seeds: list.map((seed) => (typeof seed === "string" ? { url: seed } : seed)),
    options: options as CrawlOptions,
    start: start as Submission["start"],
  };
}

function parsed(text: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new Problem(400, `The body must be JSON: ${(error as Error).message}`);
  }
  if (typeof body === "object" && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new Problem(400, "The body must be an object with 'seeds' and 'options'");
}

function unknownFieldFaults(name: string): FieldFault[] {
  if (FIELDS.includes(name)) return [];
  const nearest = nearestName(name, FIELDS);
  return [
    {
      pointer: `#/${encodeURIComponent(name)}`,
      detail: `there is no field '${name}'${nearest === undefined ? "" : `: did you mean '${nearest}'?`}`,
    },
  ];
}

function seedsFaults(
  seeds: readonly unknown[],
  isList: boolean,
  limits: CrawlLimits,
  allowsPrivate: boolean,
): FieldFault[] {
  if (seeds.length === 0) return [{ pointer: "#/seeds", detail: "seeds must have at least one URL" }];
  if (seeds.length > limits.maxSeeds) {
    const detail = `seeds must have at most ${limits.maxSeeds} entries: received ${seeds.length}`;
    return [{ pointer: "#/seeds", detail }];
  }
  return seeds.flatMap((seed, index) => {
    const fault = seedFault(seed, allowsPrivate);
    if (fault === undefined) return [];
    return [
      isList
        ? { pointer: `#/seeds/${index}`, detail: `seeds[${index}] ${fault}` }
        : { pointer: "#/seeds", detail: `seeds ${fault}` },
    ];
  });
}

function seedFault(seed: unknown, allowsPrivate: boolean): string | undefined {
  if (typeof seed !== "string" && (typeof seed !== "object" || seed === null)) return "must be a URL";
  const object = typeof seed === "string" ? { url: seed } : (seed as SeedObject);
  const unknown = Object.keys(object).find((name) => !SEED_FIELDS.includes(name));
  if (unknown !== undefined) return `must have no '${unknown}'`;
  if (JSON.stringify(object).length > MAX_SEED_LENGTH) return `must be at most ${MAX_SEED_LENGTH} long`;
  const fault = publicUrl(object.url, allowsPrivate);
  if (fault !== undefined) return fault;
  try {
    checkedSeed(object);
    return undefined;
  } catch (error) {
    return `is not right: ${(error as Error).message}`;
  }
}
