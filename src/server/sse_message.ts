/** One event of a `text/event-stream`. */
export interface SseMessage {
  readonly event?: string;
  /** A line break in it begins another `data:` line, which the client puts together again. */
  readonly data: string;
  readonly id?: number;
}

/** An event as it is sent. Source: HTML standard, server-sent events, "interpreting an event stream". */
export function sseMessage({ event, data, id }: SseMessage): string {
  return (
    (id === undefined ? "" : `id: ${id}\n`) +
    (event === undefined ? "" : `event: ${event}\n`) +
    data
      .split(/\r\n|\r|\n/)
      .map((line) => `data: ${line}\n`)
      .join("") +
    "\n"
  );
}

/** How long a client is to wait before it connects again. */
export function sseRetry(ms: number): string {
  return `retry: ${ms}\n\n`;
}

/** What a client does not see, but a proxy that ends idle connections does. */
export const SSE_HEARTBEAT = ":\n\n";
