/**
 * Reads a date by the W3C profile of ISO 8601 (`2024`, `2024-01`, `2024-01-02`, `2024-01-02T03:04Z`,
 * `2024-01-02T03:04:05.6+01:00`) or by RFC 822 as RSS has it (`Tue, 02 Jan 2024 03:04:05 GMT`). What is missing is
 * the earliest it can be; without a zone the time is UTC, whatever the machine's zone is.
 *
 * @returns `undefined` for anything else, days and hours that do not exist included.
 */
export function parseSitemapDate(text: string): Date | undefined {
  return parseW3cDate(text) ?? parseRfc822Date(text);
}

// https://www.w3.org/TR/NOTE-datetime, and what is common beside it: a space for the T, no zone, a zone without colon.
const W3C_DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)? ?(Z|z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/;

function parseW3cDate(text: string): Date | undefined {
  const match = W3C_DATE.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month = "1", day = "1", hour = "0", minute = "0", second = "0", fraction = "0", zone = "Z"] =
    match;
  return dateOf({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Math.floor(Number(`0.${fraction}`) * 1000),
    zoneMinutes: zoneMinutesOf(zone),
  });
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

// RFC 822 §5 with the years of RFC 2822 §4.3; the day's name says nothing that the date does not.
const RFC_822_DATE =
  /^(?:[a-z]+\.?,? +)?(\d{1,2})[ -]([a-z]{3})[a-z]*\.?[ -](\d{4}|\d{2})(?: +(\d{1,2}):(\d\d)(?::(\d\d))?(?: *([a-z]{1,5}|[+-]\d\d:?\d\d))?)?$/i;

function parseRfc822Date(text: string): Date | undefined {
  const match = RFC_822_DATE.exec(text.trim().replace(/\s+/g, " "));
  if (match === null) return undefined;
  const [, day, month = "", year = "", hour = "0", minute = "0", second = "0", zone = "Z"] = match;
  return dateOf({
    year: year.length === 2 ? Number(year) + (Number(year) < 50 ? 2000 : 1900) : Number(year),
    month: MONTHS.indexOf(month.toLowerCase()) + 1,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: 0,
    zoneMinutes: zoneMinutesOf(zone),
  });
}

// RFC 822 §5.1. The single letters were printed with the wrong sign there, so RFC 2822 §4.3 has them say nothing.
const ZONE_HOURS: ReadonlyMap<string, number> = new Map([
  ["est", -5],
  ["edt", -4],
  ["cst", -6],
  ["cdt", -5],
  ["mst", -7],
  ["mdt", -6],
  ["pst", -8],
  ["pdt", -7],
]);

/** Minutes ahead of UTC; 0 for a name that is not known; `undefined` for an offset that does not exist. */
function zoneMinutesOf(zone: string): number | undefined {
  const offset = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (offset === null) return (ZONE_HOURS.get(zone.toLowerCase()) ?? 0) * 60;
  const [, sign, hours, minutes = "0"] = offset;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

interface DateParts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  zoneMinutes: number | undefined;
}

function dateOf(parts: DateParts): Date | undefined {
  const { year, month, day, hour, minute, second, millisecond, zoneMinutes } = parts;
  // A leap second is written as 60: it becomes the first of the next minute.
  if (zoneMinutes === undefined || hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would take the years below 100 for 1900 and later
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute - zoneMinutes, second, millisecond);
  return date;
}
