import { resolve4, resolve6, resolveMx } from "node:dns/promises";
import type { Clock } from "../clock.ts";
import type { Fetch } from "../options.ts";
import { codeOf } from "../output/files_error.ts";
import { dnsQuestion, MX, NO_SUCH_DOMAIN, responseCode } from "./dns_message.ts";

/** What DNS says of a domain: only `absent` is a definite answer that there is none. */
export type DomainState = "exists" | "absent" | "unknown";

/** Asks for a domain, in its ASCII form. Never rejects. */
export type MailResolver = (domain: string) => Promise<DomainState>;

const LOOKUPS_AT_ONCE = 8;
const TIMEOUT_MS = 10_000;

/** Asks for one type of record; rejects with the codes of `node:dns`. */
export type LookUp = (domain: string) => Promise<unknown>;

/**
 * A resolver by look-ups for mail servers, then for addresses. Some runtimes do not tell a domain without mail servers
 * from one that is not there: that is sure only of a domain that has no addresses either, and no mail can reach such a
 * one (RFC 5321 §5.1).
 */
export function lookUpResolver(lookUps: readonly LookUp[]): MailResolver {
  return async (domain) => {
    for (const lookUp of lookUps) {
      try {
        await lookUp(domain);
        return "exists";
      } catch (error) {
        if (codeOf(error) === "ENODATA") return "exists";
        if (codeOf(error) !== "ENOTFOUND") return "unknown";
      }
    }
    return "absent";
  };
}

/** The runtime's resolver. */
export const systemResolver: MailResolver = lookUpResolver([resolveMx, resolve4, resolve6]);

/** A resolver that is asked by HTTPS, in DNS's own messages (RFC 8484). */
export function httpsResolver(url: string, fetch: Fetch, clock: Clock): MailResolver {
  return async (domain) => {
    const controller = new AbortController();
    const calledOff = clock.at(clock.now() + TIMEOUT_MS, () => controller.abort());
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/dns-message", accept: "application/dns-message" },
        body: dnsQuestion(domain, MX),
        signal: controller.signal,
      });
      const code = responseCode(new Uint8Array(await response.arrayBuffer()));
      if (!response.ok || code === undefined) return "unknown";
      return code === NO_SUCH_DOMAIN ? "absent" : code === 0 ? "exists" : "unknown";
    } catch {
      return "unknown";
    } finally {
      calledOff();
    }
  };
}

/** Those of the domains that do not exist; a few are asked for at once. */
export async function absentDomains(domains: Iterable<string>, resolve: MailResolver): Promise<Set<string>> {
  const absent = new Set<string>();
  const left = new Set(domains).values();
  const lookUp = async (): Promise<void> => {
    for (const domain of left) if ((await resolve(domain)) === "absent") absent.add(domain);
  };
  await Promise.all(Array.from({ length: LOOKUPS_AT_ONCE }, lookUp));
  return absent;
}
