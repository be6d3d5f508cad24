import { describe, expect, test } from "vitest";
import { isOneOf, mediaType, sniffMediaType } from "../../src/web/content_type.ts";

describe("mediaType()", () => {
  test.each([
    ["text/html", "text/html"],
    ["Text/HTML; charset=utf-8", "text/html"],
    ["  text/plain  ", "text/plain"],
    ["text/html;", "text/html"],
    ["text/html ;charset=x", "text/html"],
    ["application/xhtml+xml;a=1;b=2", "application/xhtml+xml"],
    ["application/vnd.oai.openapi+json;version=3.0", "application/vnd.oai.openapi+json"],
    // Repeated headers come joined: the last that is one counts.
    ["text/plain, text/html", "text/html"],
    ["text/html, nonsense", "text/html"],
    ["text/html,", "text/html"],
    ["text/html; charset=utf-8, text/plain; charset=latin1", "text/plain"],
  ])("reads %j as %s", (header, type) => {
    expect(mediaType(header)).toBe(type);
  });

  test.each([null, undefined, "", " ", "html", "text/", "/html", "text/html/x", ";charset=utf-8", ","])(
    "finds none in %j",
    (header) => {
      expect(mediaType(header)).toBeUndefined();
    },
  );
});

describe("sniffMediaType()", () => {
  const octets = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

  test.each([
    ["<!DOCTYPE html>", "text/html"],
    ["<!doctype HTML >", "text/html"],
    ["\t\n\f\r <html lang=en>", "text/html"],
    ["<head>", "text/html"],
    ["<script src=x>", "text/html"],
    ["<p>text", "text/html"],
    ["<a href=x>", "text/html"],
    ["<!-- note -->", "text/html"],
    ["<table>", "text/html"],
    ["\xef\xbb\xbf<!doctype html>", "text/html"],
    ['<?xml version="1.0"?><a/>', "text/xml"],
    [" <?xml ", "text/xml"],
    ["%PDF-1.7", "application/pdf"],
    ["plain words", "text/plain"],
    ["<unknown>", "text/plain"],
    ["<parent>", "text/plain"],
    ["", "text/plain"],
    ["\xff\xfea\x00b\x00", "text/plain"],
    ["\xfe\xff\x00a\x00b", "text/plain"],
    ["caf\xc3\xa9", "text/plain"],
    ["a\x00b", "application/octet-stream"],
    ["\x89PNG\r\n\x1a\n", "application/octet-stream"],
    ["\x1b[31m escape sequences are text", "text/plain"],
  ])("tells %j as %s", (body, type) => {
    expect(sniffMediaType(octets(body))).toBe(type);
  });

  test("looks at the first octets alone", () => {
    expect(sniffMediaType(octets(`${" ".repeat(1_400)}<html>`))).toBe("text/html");
    expect(sniffMediaType(octets(`${"a".repeat(2_000)}\x00`))).toBe("text/plain");
    expect(sniffMediaType(new Uint8Array(1_000_000).fill(0x20))).toBe("text/plain");
  });
});

describe("isOneOf()", () => {
  test.each([
    ["text/html", ["text/html"], true],
    ["text/html", ["text/plain", "text/html"], true],
    ["image/png", ["image/*"], true],
    ["image/svg+xml", ["image/*"], true],
    ["text/html", ["image/*", "text/plain"], false],
    ["imagery/png", ["image/*"], false],
    ["text/html5", ["text/html"], false],
    ["text/html", [], false],
  ])("of %s in %j says %s", (type, list, expected) => {
    expect(isOneOf(type, list)).toBe(expected);
  });

  test("of anything in */* says true", () => {
    expect(isOneOf("anything/else", ["*/*"])).toBe(true);
  });
});
