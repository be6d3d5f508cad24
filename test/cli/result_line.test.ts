import { describe, expect, test } from "vitest";
import { failureLine, pageLine, skipLine } from "../../src/cli/result_line.ts";
import type { Page } from "../../src/page.ts";
import type { CrawlRequest } from "../../src/request.ts";

const page = { status: 200, depth: 3, url: "https://a.test/b", title: "A title" } as Page;

describe("pageLine()", () => {
  test("has status, depth, URL and title with a tab between", () => {
    expect(pageLine(page)).toBe("200\t3\thttps://a.test/b\tA title\n");
  });

  test("keeps its four fields where there is no title", () => {
    expect(pageLine({ status: 404, depth: 0, url: "https://a.test/" } as Page)).toBe(
      "404\t0\thttps://a.test/\t\n",
    );
  });

  test("stays one line of four fields, without an escape sequence, whatever the title", () => {
    const title = "\tx\r\n200\t0\thttps://evil.test/\x1b[2J\x9b5m\u2028";
    const line = pageLine({ ...page, title } as Page);
    expect(line).toBe("200\t3\thttps://a.test/b\tx 200 0 https://evil.test/ [2J 5m\n");
  });
});

describe("failureLine()", () => {
  const failure = {
    type: "failure" as const,
    url: "https://a.test/",
    request: {} as CrawlRequest,
    reason: "connect" as const,
    cause: new Error("connect ECONNREFUSED"),
  };

  test("has reason, URL and what the runtime said", () => {
    expect(failureLine({ ...failure, attempts: 1 })).toBe(
      "failure\tconnect\thttps://a.test/\t1 attempt: connect ECONNREFUSED\n",
    );
  });

  test("tells the last status where one came", () => {
    expect(failureLine({ ...failure, attempts: 3, status: 503 })).toBe(
      "failure\tconnect\thttps://a.test/\t3 attempts, last status 503: connect ECONNREFUSED\n",
    );
  });
});

describe("skipLine()", () => {
  test("has reason, URL and detail, of which the last may be empty", () => {
    const skip = { type: "skip" as const, url: "https://a.test/", reason: "robots" as const };
    expect(skipLine(skip)).toBe("skip\trobots\thttps://a.test/\t\n");
    expect(skipLine({ ...skip, detail: "crawl-delay of 600 s" })).toBe(
      "skip\trobots\thttps://a.test/\tcrawl-delay of 600 s\n",
    );
  });
});
