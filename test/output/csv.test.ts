import { csvParseRows } from "d3-dsv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvRow, toCsv } from "../../src/output/csv.ts";
import { endless, failureOf, holdsBack, pageOf, skipOf, streamOf, textOf } from "./results.ts";

const html = (title: string): string => `<title>${title}</title>`;

describe("toCsv()", () => {
  test("writes a header and a row a result, each ended by CR LF", async () => {
    const rows = await textOf(
      streamOf(
        pageOf("https://a.test/", html("Home"), { tag: "x" }),
        failureOf("https://a.test/f", new Error("refused"), { depth: 1, referrer: "https://a.test/" }),
        skipOf("https://a.test/s"),
      ).pipeThrough(toCsv()),
    );
    expect(rows).toBe(
      [
        "type,url,status,reason,detail,depth,referrer,contentType,title,bytes,startedAt,responseMs,tag",
        "page,https://a.test/,200,,,0,,text/html,Home,19,2026-03-04T05:06:07.089Z,12.5,x",
        "failure,https://a.test/f,,connect,refused,1,https://a.test/,,,,,,",
        "skip,https://a.test/s,,robots,,,https://a.test/,,,,,,",
        "",
      ].join("\r\n"),
    );
  });

  test("writes the header alone where there are no results, and none where none is wanted", async () => {
    expect(await textOf(streamOf().pipeThrough(toCsv({ fields: ["url", "title"] })))).toBe("url,title\r\n");
    expect(await textOf(streamOf().pipeThrough(toCsv({ header: false })))).toBe("");
  });

  test("quotes commas, quotes and line breaks: RFC 4180 §2", async () => {
    const page = pageOf("https://a.test/?a,b", "", { tag: 'say "hi",\r\nthen go' });
    const row = await textOf(
      streamOf(page).pipeThrough(toCsv({ fields: ["url", "tag", "status"], header: false })),
    );
    expect(row).toBe('"https://a.test/?a,b","say ""hi"",\r\nthen go",200\r\n');
  });

  test("joins texts by spaces, writes other values as JSON, and one empty cell so that it is seen", async () => {
    const page = pageOf("https://a.test/", "<a href=x></a><a href=y></a>", { data: { a: [1] } });
    const options = { fields: ["links", "data"] as const, header: false };
    expect(await textOf(streamOf(page).pipeThrough(toCsv(options)))).toBe(
      'https://a.test/x https://a.test/y,"{""a"":[1]}"\r\n',
    );
    expect(await textOf(streamOf(page).pipeThrough(toCsv({ fields: ["title"], header: false })))).toBe(
      '""\r\n',
    );
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＋1", "－1", "＠x"])(
    "keeps a spreadsheet from reckoning %j",
    async (tag) => {
      const page = pageOf("https://a.test/", "", { tag, data: -5 });
      const options = { fields: ["tag", "data"] as const, header: false };
      const [guarded] = csvParseRows(await textOf(streamOf(page).pipeThrough(toCsv(options))));
      expect(guarded).toEqual([`'${tag}`, "-5"]);
      const [plain] = csvParseRows(
        await textOf(streamOf(page).pipeThrough(toCsv({ ...options, formulaGuard: false }))),
      );
      expect(plain).toEqual([tag, "-5"]);
    },
  );

  test.runIf(holdsBack)("asks for no more than one result ahead of its reader", async () => {
    const source = endless((n) => pageOf(`https://a.test/${n}`));
    const reader = source.stream.pipeThrough(toCsv({ header: false })).getReader();
    for (let n = 1; n <= 5; n++) {
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 0));
      expect(source.asked).toBeLessThanOrEqual(n + 1);
    }
    await reader.cancel();
  });

  test("refuses options that are none", () => {
    expect(() => toCsv({ fields: ["body", "txt" as "text"] })).toThrow("did you mean 'fields: text'?");
    expect(() => toCsv({ header: 1 as unknown as boolean })).toThrow("'header' must be a boolean");
    expect(() => toCsv({ formulaGuard: "no" as unknown as boolean })).toThrow(
      "'formulaGuard' must be a boolean",
    );
  });
});

describe("csvRow()", () => {
  test("is read back as it was, whatever is in the cells", () => {
    const cells = fc.array(fc.string({ unit: fc.constantFrom('"', ",", "\r", "\n", "a", " ", "é") }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(cells, (row) => {
        expect(csvParseRows(csvRow(row) + csvRow(["next"]))).toEqual([row, ["next"]]);
      }),
      { numRuns: 300 },
    );
  });
});
