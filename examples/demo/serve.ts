import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer; `hang-up` ends the connection without any. */
export type Answer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | "hang-up";

/** A host's answers by path. Of a list each request takes the next one, and the last one stays. */
export type Pages = Readonly<Record<string, Answer | readonly Answer[]>>;

/** A web server on loopback. */
export interface Host {
  readonly origin: string;
  /** What it answers; nothing but 404 before this is called. */
  show(pages: Pages): void;
  close(): Promise<void>;
}

export function html(title: string, body: string): Exclude<Answer, string> {
  return {
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html><title>${title}</title>${body}`,
  };
}

export function text(body: string): Exclude<Answer, string> {
  return { headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

/** Listens on 127.0.0.1, on a port that the system chooses. */
export async function openHost(): Promise<Host> {
  const asked = new Map<string, number>();
  let pages: Pages = {};
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "/";
    const times = asked.get(path) ?? 0;
    asked.set(path, times + 1);
    const found = pages[path] ?? { ...html("Not found", ""), status: 404 };
    const answers = Array.isArray(found) ? found : [found];
    send(answers[Math.min(times, answers.length - 1)], request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show: (shown) => {
      pages = shown;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  if (answer === "hang-up") {
    request.socket.destroy();
    return;
  }
  response.writeHead(answer.status ?? 200, answer.headers);
  response.end(answer.body);
}
