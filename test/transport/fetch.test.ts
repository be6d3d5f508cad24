import { describe, expect, it } from "vitest";
import type { TransportRequest } from "../../src/fetcher.ts";
import { fetchTransport } from "../../src/transport/fetch.ts";

function request(more: Partial<TransportRequest> = {}): TransportRequest {
  const { signal } = new AbortController();
  return { url: "https://a.test/", method: "GET", headers: new Headers(), signal, ...more };
}

/** A `fetch` that answers nothing in particular and keeps what it was called with. */
function recording(): { fetch: typeof globalThis.fetch; calls: [unknown, RequestInit | undefined][] } {
  const calls: [unknown, RequestInit | undefined][] = [];
  return {
    calls,
    fetch: async (input, init) => {
      calls.push([input, init]);
      return new Response("abc");
    },
  };
}

describe("fetchTransport()", () => {
  it("hands the request over and follows no redirect", async () => {
    const { fetch, calls } = recording();
    const sent = request({ method: "POST", body: "a=b", headers: new Headers({ "x-a": "b" }) });
    const response = await fetchTransport(fetch).send(sent);
    expect(new TextDecoder().decode(await response.arrayBuffer())).toBe("abc");
    expect(calls).toEqual([
      [
        "https://a.test/",
        { method: "POST", body: "a=b", headers: sent.headers, signal: sent.signal, redirect: "manual" },
      ],
    ]);
  });

  it("sets nothing that some runtime refuses, like a body to a GET", async () => {
    const { fetch, calls } = recording();
    await fetchTransport(fetch).send(request());
    expect(Object.keys(calls[0]?.[1] ?? {}).sort()).toEqual(["headers", "method", "redirect", "signal"]);
  });

  it.each([
    "file:///etc/passwd",
    "data:text/html,<p>",
    "blob:https://a.test/0",
    "ftp://a.test/",
    "https:",
    "https:///",
    "/a",
    "",
    "https://user@a.test/",
    "https://user:secret@a.test/",
    "https://:@a.test/",
    "https:\\\\user@a.test/",
  ])("refuses '%s' without asking anybody", async (url) => {
    const { fetch, calls } = recording();
    const sent = fetchTransport(fetch).send(request({ url }));
    await expect(sent).rejects.toThrow(TypeError);
    await expect(sent).rejects.not.toThrow(/secret/);
    expect(calls).toEqual([]);
  });

  it.each([
    "http://a.test",
    "HTTPS://a.test/",
    "https://a.test:8443/b@c",
    "https://a.test?b@c",
    "https://a.test#b@c",
    "https://[::1]:80/",
  ])("sends '%s'", async (url) => {
    const { fetch, calls } = recording();
    await fetchTransport(fetch).send(request({ url }));
    expect(calls.map(([input]) => input)).toEqual([url]);
  });

  it("rejects with what fetch rejects with", async () => {
    const fault = new TypeError("fetch failed");
    const transport = fetchTransport(() => Promise.reject(fault));
    await expect(transport.send(request())).rejects.toBe(fault);
  });
});
