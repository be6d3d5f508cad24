import { describe, expect, it } from "vitest";
import { type RunningScript, startScript } from "../cli/run_script.ts";
import { dataOf, EventStreamReader } from "./event_stream.ts";
import { fakeOrigin } from "./fake_origin.ts";

/** The address that a script says it listens on, once it does. */
function addressOf(script: RunningScript): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    script.stdout.on("data", (piece: string) => {
      text += piece;
      const url = /http:\/\/\S+:\d+\//.exec(text)?.[0];
      if (url !== undefined) resolve(url);
    });
    script.stdout.on("end", () => reject(new Error(`It ended without an address: ${text}`)));
  });
}

describe.concurrent("npm run serve", () => {
  it("serves the page and its routes on loopback until it is interrupted", async () => {
    const script = startScript("src/server/main.ts", "--port", "0");
    const url = await addressOf(script);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await (await fetch(url)).text()).toContain("<title>Dragline</title>");
    expect(await (await fetch(`${url}crawls`)).json()).toEqual([]);
    script.interrupt();
    expect(await script.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("listens on nothing but loopback without a token", async () => {
    const { code, stderr } = await startScript("src/server/main.ts", "--host", "0.0.0.0").ended;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "Cannot listen on '0.0.0.0' without a token, as others could reach it: set DRAGLINE_TOKEN\n",
    });
  });

  it("ends with 2 at a wrong flag, and tells what there are", async () => {
    for (const flags of [
      ["--prt", "1"],
      ["--port", "x"],
      ["--port", "70000"],
    ]) {
      const { code, stderr } = await startScript("src/server/main.ts", ...flags).ended;
      expect(code, flags.join(" ")).toBe(2);
      expect(stderr).toContain("--port");
    }
    const help = await startScript("src/server/main.ts", "--help").ended;
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("DRAGLINE_TOKEN");
  });
});

describe.concurrent("examples/serve.ts", () => {
  it("tells a crawl's progress to whoever watches, and ends with it", async () => {
    const site = await fakeOrigin(3);
    const script = startScript("examples/serve.ts", `${site.origin}/`, "0");
    const url = await addressOf(script);
    expect(await (await fetch(url)).text()).toContain("EventSource");
    const events = await new EventStreamReader(await fetch(`${url}progress`)).toEnd();
    expect(dataOf<{ url: string }>(events, "page").length).toBe(4);
    expect(events.at(-1)?.event).toBe("finished");
    const { code, stdout, stderr } = await script.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trim().split("\n")).toHaveLength(5);
    await site.close();
  });
});
