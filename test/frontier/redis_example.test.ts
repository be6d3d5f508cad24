import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Host, html, openHost } from "../../examples/demo/serve.ts";
import { startScript } from "../cli/run_script.ts";
import { LEFT_OUT, REDIS_SERVER, type RedisServer, startRedis } from "./redis_server.ts";

describe.skipIf(REDIS_SERVER === undefined)(`examples/fleet.ts${LEFT_OUT}`, () => {
  let server: RedisServer;
  let site: Host;
  beforeAll(async () => {
    server = await startRedis();
    site = await openHost();
    site.show({
      "/": html("Home", `<a href="a">A</a><a href="b">B</a>`),
      "/a": html("A", `<a href="b">B</a>`),
      "/b": html("B", `<a href="a">A</a>`),
    });
    process.env.REDIS_URL = `redis://127.0.0.1:${server.port}`;
  });
  afterAll(async () => {
    delete process.env.REDIS_URL;
    await site?.close();
    await server?.close();
  });

  test("has each page from one of its workers", async () => {
    const { code, stdout, stderr } = await startScript("examples/fleet.ts", site.origin, "2").ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/^[12] /, "")).sort()).toEqual(
      ["/", "/a", "/b"].map((path) => `200 ${site.origin}${path}`),
    );
  });
});
