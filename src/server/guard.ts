import type { MiddlewareHandler } from "hono";
import { Problem } from "./problem.ts";
import { bearerToken, isSameSecret } from "./token.ts";

/** Who may ask. */
export interface GuardSettings {
  readonly token: string | undefined;
  /** Names under which requests without a token are answered, besides those of loopback. */
  readonly trustedHosts: readonly string[];
}

/**
 * Lets pass who has the token; where none is set, who asks this very machine under one of its own names. A page of the
 * web that had its name resolve to loopback, or a proxy that passes on requests of others, does not.
 *
 * @throws {Problem} 401 or 403
 */
export function guard({ token, trustedHosts }: GuardSettings): MiddlewareHandler {
  return async (c, next) => {
    if (token !== undefined) await checkToken(c.req.header("authorization") ?? null, token);
    else checkHost(c.req.raw, trustedHosts);
    // Other sites may not make a browser send what changes something, whatever it can prove.
    if (c.req.header("sec-fetch-site") === "cross-site" && c.req.method !== "GET") {
      throw new Problem(403, "A page of another site may not do this");
    }
    await next();
  };
}

async function checkToken(authorization: string | null, token: string): Promise<void> {
  const given = bearerToken(authorization);
  if (given !== undefined && (await isSameSecret(given, token))) return;
  const detail = given === undefined ? "A bearer token is needed" : "This is not the token";
  // RFC 6750 §3: what was sent without a token gets no error code.
  const error = given === undefined ? "" : ', error="invalid_token"';
  throw new Problem(401, detail, { headers: { "www-authenticate": `Bearer realm="dragline"${error}` } });
}

function checkHost(request: Request, trustedHosts: readonly string[]): void {
  const hostname = new URL(request.url).hostname;
  const isForwarded = FORWARDED.some((name) => request.headers.has(name));
  if (trustedHosts.includes(hostname) || (isLoopback(hostname) && !isForwarded)) return;
  throw new Problem(
    403,
    `Without a token only this machine is answered, by a name such as localhost: set one to be asked as '${hostname}'${isForwarded ? " or through a proxy" : ""}`,
  );
}

const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** Whether a URL's hostname is of this machine: RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
