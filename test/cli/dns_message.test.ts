import { describe, expect, test } from "vitest";
import { dnsQuestion, MX, responseCode } from "../../src/cli/dns_message.ts";

describe("dnsQuestion()", () => {
  test("is a question of one name, as RFC 1035 §4.1 has it", () => {
    expect([...dnsQuestion("mx.site.test", MX)]).toEqual([
      ...[0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0],
      ...[2, 109, 120, 4, 115, 105, 116, 101, 4, 116, 101, 115, 116, 0],
      ...[0, 15, 0, 1],
    ]);
  });
});

describe("responseCode()", () => {
  test("is in the low half of the fourth octet", () => {
    expect(responseCode(new Uint8Array([0, 0, 0x81, 0x83, 0, 1, 0, 0, 0, 0, 0, 0]))).toBe(3);
  });

  test("is none of a question, nor of what is too short", () => {
    expect(responseCode(dnsQuestion("a.test", MX))).toBeUndefined();
    expect(responseCode(new Uint8Array([0, 0, 0x81, 3]))).toBeUndefined();
  });
});
