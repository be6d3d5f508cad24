const MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec";
const MONTH_NUMBERS: readonly string[] = MONTHS.split("|");
const DAY_NAMES = "Mon|Tue|Wed|Thu|Fri|Sat|Sun";
const LONG_DAY_NAMES = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday";
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;

// The three forms of an HTTP-date: RFC 9110 §5.6.7.
const HTTP_DATES = [
  String.raw`(?:${DAY_NAMES}), (?<day>\d\d) (?<month>${MONTHS}) (?<year>\d{4}) ${TIME} GMT`,
  String.raw`(?:${LONG_DAY_NAMES}), (?<day>\d\d)-(?<month>${MONTHS})-(?<year>\d\d) ${TIME} GMT`,
  String.raw`(?:${DAY_NAMES}) (?<month>${MONTHS}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Reads the value of a `Retry-After` header: how long a host asks to be left alone.
 *
 * Source: RFC 9110 §10.2.3, digits alone for seconds, or an HTTP-date.
 *
 * @param nowMs milliseconds since the Unix epoch, from which a date counts.
 * @returns milliseconds from `nowMs`: 0 for `0`, `Infinity` for more seconds than a number can hold; `undefined` where
 * the value asks for nothing: a date that is not ahead, a sign, a fraction, or no value of this header at all.
 * @example
 * ```ts
 * parseRetryAfter("120", Date.now()); // 120_000
 * ```
 */
export function parseRetryAfter(value: string, nowMs: number): number | undefined {
  const trimmed = value.trim();
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * 1_000;
  const atMs = parseHttpDate(trimmed, nowMs);
  return atMs !== undefined && atMs > nowMs ? atMs - nowMs : undefined;
}

/**
 * Reads an HTTP-date in any of its three forms, as GMT whatever the machine's time zone.
 *
 * Source: RFC 9110 §5.6.7, to the letter; only the name of the weekday is not held against the date. A leap second
 * counts as the second after it.
 *
 * @param nowMs milliseconds since the Unix epoch, by which a year of two digits is placed: never more than 50
 * years ahead.
 * @returns milliseconds since the Unix epoch, or `undefined` where the value is no HTTP-date or no day of the calendar.
 * @example
 * ```ts
 * parseHttpDate("Sun Nov  6 08:49:37 1994", Date.now()); // 784_111_777_000
 * ```
 */
export function parseHttpDate(value: string, nowMs: number): number | undefined {
  for (const form of HTTP_DATES) {
    const fields = form.exec(value)?.groups;
    if (fields === undefined) continue;
    const dateOf = (year: number): Date => dateFrom(fields, year);
    const date =
      fields.year!.length === 4 ? dateOf(Number(fields.year)) : inNearestCentury(fields.year!, nowMs, dateOf);
    return isOnCalendar(date, fields) ? date.getTime() : undefined;
  }
  return undefined;
}

type DateFields = Readonly<Record<string, string>>;

function dateFrom({ month, day, hour, minute, second }: DateFields, year: number): Date {
  const date = new Date(0);
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, MONTH_NUMBERS.indexOf(month!), Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  return date;
}

/** The latest century in which the date is at most 50 years ahead. */
function inNearestCentury(year: string, nowMs: number, dateOf: (year: number) => Date): Date {
  const limit = new Date(nowMs);
  limit.setUTCFullYear(limit.getUTCFullYear() + 50);
  const inCenturyOfLimit = Math.floor(limit.getUTCFullYear() / 100) * 100 + Number(year);
  const date = dateOf(inCenturyOfLimit);
  return date > limit ? dateOf(inCenturyOfLimit - 100) : date;
}

function isOnCalendar(date: Date, { month, day, hour, minute, second }: DateFields): boolean {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return false;
  const dayOf = new Date(date.getTime() - (Number(second) === 60 ? 1_000 : 0));
  return dayOf.getUTCDate() === Number(day) && dayOf.getUTCMonth() === MONTH_NUMBERS.indexOf(month!);
}
