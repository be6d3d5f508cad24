import { describe, expect, it } from "vitest";
import { isLoopback } from "../../src/server/guard.ts";
import type { ServerOptions } from "../../src/server/server_options.ts";
import { fakeServer, submitted } from "./fake_server.ts";

/** The status with which a request is answered. */
async function statusOf(
  options: ServerOptions,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  init: RequestInit = {},
): Promise<number> {
  const { app } = fakeServer({}, options);
  return (await app.request(url, { ...init, headers: { ...(init.headers as object), ...headers } })).status;
}

describe("guard()", () => {
  const token = "s3cret-Token_~./+==";

  it("asks for the token where one is set, for all but the page", async () => {
    for (const path of ["/crawls", "/crawls/x", "/crawls/x/events", "/crawls/x/pages"]) {
      expect(await statusOf({ token }, `http://localhost${path}`), path).toBe(401);
    }
    expect(await statusOf({ token }, "http://localhost/")).toBe(200);
    expect(
      await statusOf({ token }, "http://localhost/crawls", {}, submitted({ seeds: "https://a.test/" })),
    ).toBe(401);
    expect(await statusOf({ token }, "http://localhost/crawls/x", {}, { method: "DELETE" })).toBe(401);
  });

  it("takes the token and nothing like it", async () => {
    const ask = (authorization: string): Promise<number> =>
      statusOf({ token }, "https://crawls.example/crawls", { authorization });
    expect(await ask(`Bearer ${token}`)).toBe(200);
    expect(await ask(`bearer  ${token} `)).toBe(200);
    for (const wrong of [
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -3)}`,
      "Bearer",
      "Bearer ",
      token,
      `Basic ${token}`,
    ]) {
      expect(await ask(wrong), wrong).toBe(401);
    }
  });

  it("says how to ask, and what was wrong", async () => {
    const { ask } = fakeServer({}, { token });
    const none = await ask("/crawls");
    expect(none.headers.get("www-authenticate")).toBe('Bearer realm="dragline"');
    const wrong = await ask("/crawls", { headers: { authorization: "Bearer x" } });
    expect(wrong.headers.get("www-authenticate")).toBe('Bearer realm="dragline", error="invalid_token"');
    expect(await wrong.json()).toMatchObject({ status: 401, detail: "This is not the token" });
  });

  it("answers without a token only by names of this machine", async () => {
    for (const host of ["localhost:8080", "127.0.0.1", "127.8.9.1:1", "[::1]:8080", "app.localhost"]) {
      expect(await statusOf({}, `http://${host}/crawls`), host).toBe(200);
    }
    for (const host of [
      "evil.example",
      "192.168.0.7",
      "[2001:db8::1]",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
    ]) {
      expect(await statusOf({}, `http://${host}/crawls`), host).toBe(403);
    }
    expect(await statusOf({ trustedHosts: ["crawls.example"] }, "http://crawls.example/crawls")).toBe(200);
  });

  it("answers no request without a token that a proxy passes on", async () => {
    for (const name of ["x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host"]) {
      expect(await statusOf({}, "http://localhost/crawls", { [name]: "1.2.3.4" }), name).toBe(403);
    }
    const authorization = `Bearer ${token}`;
    expect(
      await statusOf({ token }, "http://localhost/crawls", { "x-forwarded-for": "1.2.3.4", authorization }),
    ).toBe(200);
  });

  it("lets no page of another site change anything", async () => {
    const from = { "sec-fetch-site": "cross-site" };
    expect(await statusOf({}, "http://localhost/crawls", from, submitted({ seeds: "https://a.test/" }))).toBe(
      403,
    );
    expect(await statusOf({}, "http://localhost/crawls/x", from, { method: "DELETE" })).toBe(403);
    const same = { "sec-fetch-site": "same-origin" };
    expect(await statusOf({}, "http://localhost/crawls", same, submitted({ seeds: "https://a.test/" }))).toBe(
      201,
    );
  });
});

describe("isLoopback()", () => {
  it("knows names and addresses of this machine", () => {
    for (const name of ["localhost", "a.localhost", "127.0.0.1", "127.255.0.9", "[::1]"])
      expect(isLoopback(name), name).toBe(true);
    for (const name of ["0.0.0.0", "localhost.test", "xlocalhost", "128.0.0.1", "[::]", "[::2]", ""]) {
      expect(isLoopback(name), name).toBe(false);
    }
  });
});
