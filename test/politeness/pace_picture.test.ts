import { readFile } from "node:fs/promises";
import { parse } from "parse5";
import { describe, expect, test } from "vitest";
import { drawPaces } from "../../examples/support/pace_picture.ts";
import { SimulatedHost, seededRandom } from "../support/simulated_host.ts";

describe("drawPaces()", () => {
  test("draws limit, gap, every start, every refusal and every pause", () => {
    const rate = { perSecond: 4, burst: 4, retryAfter: true };
    const server = new SimulatedHost({ sigma: 0.2, rate }, seededRandom(1));
    const svg = drawPaces([{ title: "A", does: "it refuses", server }], 8, 30_000);
    const [, starts, refused] = /(\d+) starts, (\d+) refused/.exec(svg)!;
    const ticksOf = (kind: string): number =>
      new RegExp(`class="${kind}" d="([^"]*)"`).exec(svg)![1]!.split("M").length - 1;
    expect(Number(refused)).toBeGreaterThan(0);
    expect(ticksOf("refused")).toBe(Number(refused));
    expect(ticksOf("start")).toBe(Number(starts) - Number(refused));
    expect(svg.match(/<rect class="pause"/g)!.length).toBeGreaterThan(0);
    expect(svg).toMatch(/<path class="limit" d="M[^"]+H[^"]+"\/>/);
    expect(svg).toMatch(/<path class="gap" d="M[^"]+H[^"]+"\/>/);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
  test("made the picture of the manual: three hosts, with a name and a description for who cannot see it", async () => {
    const svg = await readFile(new URL("../../docs/pace.svg", import.meta.url), "utf8");
    expect(() =>
      parse(svg, { onParseError: (error) => expect(error.code).toBe("missing-doctype") }),
    ).not.toThrow();
    expect(svg.match(/class="title"/g)).toHaveLength(3);
    expect(svg).toContain('role="img" aria-labelledby="t d"');
  });
});
