import { describe, expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { VERSION } from "../../src/version.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { fakeWeb } from "../support/fake_web.ts";
import { RecordedOutput } from "./recorded_output.ts";

type Web = Parameters<typeof fakeWeb>[0];

/** Runs the command on a fake web, in no time. */
async function runOn(web: Web, args: readonly string[], out: RecordedOutput = new RecordedOutput()) {
  const clock = new FakeClock();
  const { fetch, log } = fakeWeb(web, { clock });
  const err = new RecordedOutput();
  const code = await run(args, { out, err, clock, fetch, onInterrupt: () => () => {} });
  return { code, out: out.text, err: err.text, log };
}

const SITE: Web = {
  "https://a.test/": `<title>Home</title><a href="/b">B</a><a href="https://other.test/">Other</a>`,
  "https://a.test/b": `<title>B</title>`,
};

describe("run()", () => {
  test("prints one line a page and ends with 0", async () => {
    const { code, out, err } = await runOn(SITE, ["https://a.test/"]);
    expect(code).toBe(0);
    expect(out).toBe("200\t0\thttps://a.test/\tHome\n200\t1\thttps://a.test/b\tB\n");
    expect(err).toMatch(/^done: 2 pages in .*, 1 skip\nstatuses: 200 2(, .*)?\nskips: scope 1\n$/);
  });

  test("hands the flags to the crawl", async () => {
    const { code, out, err } = await runOn(SITE, ["https://a.test/", "--max-pages", "1"]);
    expect(code).toBe(0);
    expect(out).toBe("200\t0\thttps://a.test/\tHome\n");
    expect(err).toContain("ended at --max-pages: 1 page in ");
    expect((await runOn(SITE, ["https://a.test/", "--max-depth", "0"])).out).toBe(out);
  });

  test("takes an answer with an error status for a page, and ends with 0", async () => {
    const { code, out } = await runOn({ "https://a.test/": { status: 404 } }, ["https://a.test/"]);
    expect({ code, out }).toEqual({ code: 0, out: "404\t0\thttps://a.test/\t\n" });
  });

  test("says why a URL that was asked for was left alone, and ends with 1 where no page came", async () => {
    const web = { ...SITE, "https://a.test/robots.txt": "User-agent: *\nDisallow: /" };
    const { code, out, err } = await runOn(web, ["https://a.test/"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^skip\trobots\thttps:\/\/a\.test\/\t/);
  });

  test("stops, and asks for no more, when its reader has gone", async () => {
    const many = Array.from({ length: 50 }, (_, n) => `<a href="/${n}">${n}</a>`).join("");
    const out = new RecordedOutput({ lineLimit: 1 });
    const { code, err, log } = await runOn({ "https://a.test/": many }, ["https://a.test/"], out);
    expect(code).toBe(0);
    expect(out.lines).toHaveLength(1);
    expect(log.length).toBeLessThan(20);
    expect(err).toContain("ended, as nobody reads its output any more: ");
  });

  test("answers wrong usage with one line and 2, before any request", async () => {
    for (const args of [[], ["--max-pages", "-1", "https://a.test/"], ["ftp://x"], ["not a url\x1b[31m\n"]]) {
      const { code, out, err, log } = await runOn(SITE, args);
      expect({ code, out, log }).toEqual({ code: 2, out: "", log: [] });
      expect(err).toMatch(/^dragline: [^\n\x1b]+ \(dragline --help tells more\)\n$/);
    }
  });

  test("answers --help with every flag, and --version with the version, on standard output", async () => {
    const { code, out, err } = await runOn(SITE, ["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const flag of [
      "--max-pages N",
      "--max-depth N",
      "--scope S",
      "--delay MS",
      "--concurrency N",
      "--version",
    ]) {
      expect(out).toContain(`${flag} `);
    }
    expect(await runOn(SITE, ["--version"])).toMatchObject({ code: 0, out: `${VERSION}\n`, err: "" });
  });
});
