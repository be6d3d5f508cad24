import { describe, expect, it } from "vitest";
import { crawl } from "../../src/crawl.ts";
import type { CrawlEvent } from "../../src/event.ts";
import { BloomFilter } from "../../src/frontier/bloom.ts";
import { FakeClock } from "../../src/testing/fake_clock.ts";
import { fakeWeb } from "../../src/testing/fake_web.ts";

function filled(capacity: number, falsePositives: number): BloomFilter {
  const filter = new BloomFilter({ capacity, falsePositives }, 77);
  for (let n = 0; n < capacity; n++) filter.add(`https://a.test/page/${n}`);
  return filter;
}

describe("BloomFilter", () => {
  it.each([0.1, 0.01, 0.001])("keeps its promise of %d within a fifth", (falsePositives) => {
    const filter = filled(40_000, falsePositives);
    const tries = Math.min(400_000, 4_000 / falsePositives);
    let wrong = 0;
    for (let n = 0; n < tries; n++) if (filter.has(`https://b.test/other/${n}`)) wrong++;
    expect(wrong / tries).toBeGreaterThan(falsePositives * 0.8);
    expect(wrong / tries).toBeLessThan(falsePositives * 1.2);
  });

  it("never loses a key, saved and restored too", () => {
    const filter = filled(5_000, 0.01);
    const restored = BloomFilter.restore(JSON.parse(JSON.stringify(filter.save())));
    for (let n = 0; n < 5_000; n++) {
      expect(filter.has(`https://a.test/page/${n}`)).toBe(true);
      expect(restored.has(`https://a.test/page/${n}`)).toBe(true);
    }
    expect(restored.size).toBe(filter.size);
  });

  it("takes 1.2 bytes a key for one false positive in a hundred", () => {
    const { bits } = new BloomFilter({ capacity: 100_000, falsePositives: 0.01 }).save();
    expect((bits.length * 3) / 4 / 100_000).toBeCloseTo(1.2, 2);
  });

  it("never takes a precious key for seen by mistake", () => {
    const filter = filled(200, 0.5);
    for (let n = 0; n < 1_000; n++) expect(filter.add(`https://c.test/seed/${n}`, true)).toBe(true);
    expect(filter.add("https://c.test/seed/7", true)).toBe(false);
  });
});

describe("crawl() with a Bloom filter", () => {
  const links = Array.from({ length: 30 }, (_, n) => `<a href="/${n}">x</a>`).join("");

  async function warnings(capacity: number): Promise<CrawlEvent[]> {
    const clock = new FakeClock();
    const { fetch } = fakeWeb({ "https://a.test/": links }, { clock });
    const told: CrawlEvent[] = [];
    const seen = { bloom: { capacity, falsePositives: 0.001 } };
    const onEvent = (event: CrawlEvent): unknown => event.type === "warning" && told.push(event);
    for await (const _ of crawl("https://a.test/", { fetch, clock, seen, onEvent }));
    return told;
  }

  it("warns once when it holds more than it was made for, and not before", async () => {
    expect(await warnings(20)).toMatchObject([{ message: expect.stringContaining("Bloom filter") }]);
    expect(await warnings(100)).toEqual([]);
  });
});
