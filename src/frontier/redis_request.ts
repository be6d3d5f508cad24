import type { CrawlRequest } from "../request.ts";

/** What the scripts read of a request, and the rest as text. */
export interface EncodedRequest {
  /** The score in its host's sorted set: minus the priority, as the lowest comes out first. */
  readonly score: string;
  readonly text: string;
}

type Compact = [url: string, depth: number, key?: string | 0, referrer?: string | 0, rest?: object | 0];

/** A request as short as it may be: what its host's key says already is left out, as is its order. */
export function encodeRequest(request: CrawlRequest): EncodedRequest {
  const { url, key, host, depth, priority, order: _order, referrer, ...rest } = request;
  const compact: Compact = [
    abbreviate(url, `https://${host}`),
    depth,
    key === url ? 0 : abbreviate(key, url),
    referrer === undefined ? 0 : abbreviate(referrer, url),
    Object.keys(rest).length > 0 ? rest : 0,
  ];
  while (compact.at(-1) === 0 && compact.length > 2) compact.pop();
  return { score: `${0 - priority}`, text: JSON.stringify(compact) };
}

/** A request of a host from a member of its sorted set: order, score and text, with a space between. */
export function decodeRequest(member: string, host: string): CrawlRequest {
  const scoreAt = member.indexOf(" ") + 1;
  const textAt = member.indexOf(" ", scoreAt) + 1;
  const compact = JSON.parse(member.slice(textAt)) as Compact;
  const [shortUrl, depth, key = 0, referrer = 0, rest] = compact;
  const url = expand(shortUrl, `https://${host}`);
  return {
    url,
    key: key === 0 ? url : expand(key, url),
    host,
    depth,
    priority: 0 - Number(member.slice(scoreAt, textAt - 1)),
    order: Number.parseInt(member.slice(0, scoreAt - 1), 16),
    ...(referrer !== 0 && { referrer: expand(referrer, url) }),
    ...(rest !== 0 && rest),
  };
}

/** An order as the scripts write it: of one length, so that members of one score stand in their order. */
export function encodeOrder(order: number): string {
  return order.toString(16).padStart(11, "0");
}

/** A text as the number of characters that it begins with as the base does, and what comes after them. */
function abbreviate(text: string, base: string): string {
  let shared = 0;
  while (shared < text.length && text[shared] === base[shared]) shared++;
  return `${shared} ${text.slice(shared)}`;
}

function expand(abbreviated: string, base: string): string {
  const at = abbreviated.indexOf(" ");
  return base.slice(0, Number(abbreviated.slice(0, at))) + abbreviated.slice(at + 1);
}
