import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHttpDate, parseRetryAfter } from "../../src/web/retry_after.ts";

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0);

describe("parseRetryAfter()", () => {
  it.each([
    ["0", 0],
    ["2", 2_000],
    ["0120", 120_000],
    ["86400", 86_400_000],
    [" \t3 ", 3_000],
    ["4294967296", 4_294_967_296_000],
    ["9".repeat(30), Number("9".repeat(30)) * 1_000],
    ["9".repeat(400), Number.POSITIVE_INFINITY],
  ])("reads %s as seconds", (value, expectedMs) => {
    expect(parseRetryAfter(value, NOW)).toBe(expectedMs);
  });

  it.each(["Mon, 30 Nov 2026 12:00:02 GMT", "Monday, 30-Nov-26 12:00:02 GMT", "Mon Nov 30 12:00:02 2026"])(
    "reads %s from now",
    (value) => {
      expect(parseRetryAfter(value, NOW)).toBe(2_000);
      expect(parseRetryAfter(` ${value}\t`, NOW)).toBe(2_000);
    },
  );

  it.each([
    "Wed, 21 Oct 2015 07:28:00 GMT",
    "Mon, 30 Nov 2026 12:00:00 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT",
  ])("counts %s as none, since it is not ahead", (value) => {
    expect(parseRetryAfter(value, NOW)).toBeUndefined();
  });

  it.each([
    ...[
      "",
      " ",
      "soon",
      "-1",
      "+1",
      "1.5",
      "1e3",
      "0x10",
      "1_000",
      "1,000",
      "120, 120",
      "12 0",
      "٣",
      "Infinity",
      "NaN",
    ],
    "2030-01-01T00:00:00Z",
    ...["Tue, 1 Jan 2030 00:00:00 GMT", "Tue, 01 Jan 2030 00:00:00", "Tue, 01 Jan 2030 00:00:00 UTC"],
    ...["Tue, 01 Jan 2030 00:00:00 +0000", "tue, 01 jan 2030 00:00:00 gmt", "01 Jan 2030 00:00:00 GMT"],
  ])("counts %j as none, since it is no value of this header", (value) => {
    expect(parseRetryAfter(value, NOW)).toBeUndefined();
  });

  it("never throws, and gives a wait of at least nothing or none", () => {
    const nasty = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[\d,:A-Za-z -]{0,40}$/));
    fc.assert(
      fc.property(nasty, fc.integer(), (value, nowMs) => {
        const waitMs = parseRetryAfter(value, nowMs);
        expect(waitMs === undefined || waitMs >= 0).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("reads back every instant of the coming 50 years in each form", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 * 365 * 86_400 }), (seconds) => {
        for (const value of httpDates(NOW + seconds * 1_000)) {
          expect(parseRetryAfter(value, NOW)).toBe(seconds * 1_000);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("reads a megabyte of anything", () => {
    for (const char of [" ", "\t", "1 ", "Mon", "\u00a0"]) {
      expect(parseRetryAfter(`x${char.repeat(1_000_000)}x`, NOW)).toBeUndefined();
      expect(parseRetryAfter(`${char.repeat(1_000_000)}x`, NOW)).toBeUndefined();
    }
  });
});

describe("parseHttpDate()", () => {
  it.each([
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
    "Sun Nov 06 08:49:37 1994",
  ])("reads %s as GMT", (value) => {
    expect(parseHttpDate(value, NOW)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  });

  it("does not hold a wrong weekday against the date", () => {
    expect(parseHttpDate("Mon, 06 Nov 1994 08:49:37 GMT", NOW)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  });

  it.each([
    ["76", 2076, "2026-11-30T12:00:00Z"],
    ["77", 1977, "2026-11-30T12:00:00Z"],
    ["49", 2049, "1999-11-30T12:00:00Z"],
    ["50", 1950, "1999-11-30T12:00:00Z"],
    ["05", 2105, "2096-11-30T12:00:00Z"],
  ])("places the year %s in %i, seen from %3$s", (year, expected, now) => {
    expect(parseHttpDate(`Monday, 30-Nov-${year} 12:00:00 GMT`, Date.parse(now))).toBe(
      Date.UTC(expected, 10, 30, 12),
    );
  });

  it("goes back a century for one second beyond 50 years", () => {
    expect(parseHttpDate("Monday, 30-Nov-76 12:00:01 GMT", NOW)).toBe(Date.UTC(1976, 10, 30, 12, 0, 1));
  });

  it.each([
    ["Sat, 29 Feb 2028 00:00:00 GMT", Date.UTC(2028, 1, 29)],
    ["Sat, 29 Feb 2027 00:00:00 GMT", undefined],
    ["Sat, 31 Apr 2027 00:00:00 GMT", undefined],
    ["Sat, 00 Apr 2027 00:00:00 GMT", undefined],
    ["Sat, 01 Apr 2027 24:00:00 GMT", undefined],
    ["Sat, 01 Apr 2027 00:60:00 GMT", undefined],
    ["Sat, 01 Apr 2027 00:00:61 GMT", undefined],
    ["Sat, 31 Dec 2016 23:59:60 GMT", Date.UTC(2017, 0, 1)],
    ["Sat, 01 Jan 0001 00:00:00 GMT", -62_135_596_800_000],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799_000],
  ])("keeps to the calendar: %s", (value, expected) => {
    expect(parseHttpDate(value, NOW)).toBe(expected);
  });
});

/** The three spellings of one instant. */
function httpDates(atMs: number): string[] {
  const imf = new Date(atMs).toUTCString();
  const [weekday, day, month, year, time] = imf.replace(",", "").split(" ");
  const long = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: "UTC" }).format(atMs);
  return [
    imf,
    `${long}, ${day}-${month}-${year!.slice(2)} ${time} GMT`,
    `${weekday} ${month} ${day!.replace(/^0/, " ")} ${time} ${year}`,
  ];
}
