// A path that repeats itself thrice has gone in a circle: relative links below an error page, symbolic links.
// Heritrix's rule is more than two repetitions (PathologicalPathDecideRule).
const MAX_REPEATS = 3;

// Heritrix's rule (TooManyPathSegmentsDecideRule).
const MAX_SEGMENTS = 20;

// RFC 9110 §4.1 asks servers for 8,000 octets; nothing written by hand comes near.
const MAX_URL_LENGTH = 2_000;

// Facets and filters that can be combined at will.
const MAX_PARAMETERS = 16;

// Pages of one host whose URLs differ in numbers alone. Shops have more products than this; a site map finds those.
const MAX_OF_A_SHAPE = 20_000;

// Queries of one path. A search that anything can be put into has no end.
const MAX_QUERIES_OF_A_PATH = 5_000;

// Values of one session parameter on one host: each is a new key to the same pages.
const MAX_SESSIONS = 8;

// Shapes that are counted for one host: what does not find room is not counted.
const MAX_SHAPES = 50_000;

const YEARS_AHEAD = 2;
const FIRST_YEAR = 1970;

const SESSION =
  /(?:^|[?&;])(jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken|sid|sessid|session_?id)=([^&;]{8,})/i;
const DATE =
  /(?:^|[^\d])((?:1[89]|2[01])\d\d)(?:[/_-]|[/_-]?(?:month|week|day)[=/_-]?|&\w*(?:month|week|day)\w*=)(?:0?[1-9]|[1-4]\d|5[0-3])(?!\d)/i;
const YEAR_PARAMETER = /[?&;]\w*year\w*=(\d{4})(?!\d)/i;

/**
 * Knows the shapes of URLs that never end: paths in a circle, endless queries, session ids, calendars. All of them are
 * legal, so that the bounds are policy. One record a host.
 */
export class Traps {
  // One entry a host ever met; its counts are bounded.
  readonly #hosts = new Map<string, Map<string, number>>();

  /** Why a URL that is new belongs to a trap, in words; `undefined` where it does not. It is counted in. */
  check(url: string, host: string, nowMs: number): string | undefined {
    if (url.length > MAX_URL_LENGTH) return `it is longer than ${MAX_URL_LENGTH} characters`;
    const pathStart = url.indexOf("/", url.indexOf("//") + 2);
    const queryStart = url.indexOf("?", pathStart);
    const path = queryStart < 0 ? url.slice(pathStart) : url.slice(pathStart, queryStart);
    const query = queryStart < 0 ? "" : url.slice(queryStart);
    return (
      pathTrap(path) ??
      queryTrap(query) ??
      calendarTrap(path, query, nowMs) ??
      this.#fanOut(host, path, query)
    );
  }

  #fanOut(host: string, path: string, query: string): string | undefined {
    const session = SESSION.exec(path) ?? SESSION.exec(query);
    if (session !== null && !this.#keepsSession(host, session[1]!.toLowerCase(), session[2]!)) {
      return `'${session[1]}' has had ${MAX_SESSIONS} values on this host already`;
    }
    if (query !== "" && this.#count(host, `queries ${path}`) > MAX_QUERIES_OF_A_PATH) {
      return `its path has more than ${MAX_QUERIES_OF_A_PATH} queries`;
    }
    if (!/\d/.test(path)) return undefined;
    const shape = path.replace(/\d+/g, "0");
    return this.#count(host, `shape ${shape}`) > MAX_OF_A_SHAPE
      ? `more than ${MAX_OF_A_SHAPE} URLs differ from it in numbers alone`
      : undefined;
  }

  /** Whether a session's value is one of the first, which are taken. */
  #keepsSession(host: string, name: string, value: string): boolean {
    const counts = this.#countsOf(host);
    if (counts.has(`session ${name} ${value}`)) return true;
    if ((counts.get(`sessions ${name}`) ?? 0) >= MAX_SESSIONS) return false;
    this.#count(host, `session ${name} ${value}`);
    this.#count(host, `sessions ${name}`);
    return true;
  }

  #countsOf(host: string): Map<string, number> {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const counts = new Map<string, number>();
    this.#hosts.set(host, counts);
    return counts;
  }

  #count(host: string, what: string): number {
    const counts = this.#countsOf(host);
    const known = counts.get(what);
    if (known === undefined && counts.size >= MAX_SHAPES) return 0;
    const count = (known ?? 0) + 1;
    counts.set(what, count);
    return count;
  }
}

function pathTrap(path: string): string | undefined {
  const segments = path.split("/").filter((segment) => segment !== "");
  if (segments.length > MAX_SEGMENTS) return `its path has more than ${MAX_SEGMENTS} segments`;
  for (let length = 1; length * MAX_REPEATS <= segments.length; length++) {
    let run = 0;
    for (let i = length; i < segments.length; i++) {
      run = segments[i] === segments[i - length] ? run + 1 : 0;
      if (run >= length * (MAX_REPEATS - 1)) {
        return `'${segments.slice(i - length + 1, i + 1).join("/")}' stands ${MAX_REPEATS} times in a row in its path`;
      }
    }
  }
  return undefined;
}

function queryTrap(query: string): string | undefined {
  if (query.length < MAX_PARAMETERS) return undefined;
  const parameters = query.slice(1).split(/[&;]/);
  if (parameters.length > MAX_PARAMETERS) return `its query has more than ${MAX_PARAMETERS} parameters`;
  const counts = new Map<string, number>();
  for (const parameter of parameters) {
    const count = (counts.get(parameter) ?? 0) + 1;
    if (count >= MAX_REPEATS) return `'${parameter}' stands ${MAX_REPEATS} times in its query`;
    counts.set(parameter, count);
  }
  return undefined;
}

/** A calendar goes on for ever both ways: no page of it is about a time that far off. */
function calendarTrap(path: string, query: string, nowMs: number): string | undefined {
  const found = DATE.exec(path) ?? DATE.exec(query) ?? YEAR_PARAMETER.exec(query);
  if (found === null) return undefined;
  const year = Number(found[1]);
  const lastYear = new Date(nowMs).getUTCFullYear() + YEARS_AHEAD;
  return year > lastYear || year < FIRST_YEAR ? `it is a calendar's page of ${year}` : undefined;
}
