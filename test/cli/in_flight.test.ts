import { describe, expect, test } from "vitest";
import { InFlight } from "../../src/cli/in_flight.ts";

const started = (url: string) =>
  ({ type: "started", atMs: 0, kind: "page", url, host: "a.test", attempt: 1 }) as const;
const ended = (url: string) =>
  ({ type: "ended", atMs: 0, kind: "page", url, host: "a.test", responseMs: 1, bytes: 0 }) as const;

describe("InFlight", () => {
  test("names what has started and not ended", () => {
    const inFlight = new InFlight();
    expect(inFlight.describe()).toBe("nothing is in flight");
    inFlight.observe(started("https://a.test/1"));
    inFlight.observe(started("https://a.test/2"));
    expect(inFlight.describe()).toBe("waiting for https://a.test/1, https://a.test/2");
    inFlight.observe(ended("https://a.test/1"));
    expect(inFlight.describe()).toBe("waiting for https://a.test/2");
    inFlight.observe(ended("https://a.test/2"));
    expect(inFlight.describe()).toBe("nothing is in flight");
  });

  test("counts those that it has no room for", () => {
    const inFlight = new InFlight();
    for (let n = 1; n <= 5; n++) inFlight.observe(started(`https://a.test/${n}`));
    expect(inFlight.describe()).toMatch(/^waiting for .*\/1, .*\/2, .*\/3 and 2 more$/);
  });
});
