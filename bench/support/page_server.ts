import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Certificate } from "../../test/support/certificate.ts";

const ROBOTS = "User-agent: *\nDisallow: /private/\n";
const HEAD_END = "\r\n\r\n";

/**
 * Pages from memory over HTTP/1.1, or over HTTPS with a certificate, as whole answers that were made beforehand: so
 * that on a machine of few cores the client is what is measured. It knows what clients of a benchmark send, requests
 * without a body, and nothing else.
 */
export function createPageServer(pages: ReadonlyMap<string, Buffer>, certificate?: Certificate): Server {
  const answers = new Map([...pages].map(([path, body]) => [path, answer("200 OK", "text/html", body)]));
  answers.set("/robots.txt", answer("200 OK", "text/plain", Buffer.from(ROBOTS)));
  const notFound = answer("404 Not Found", "text/plain", Buffer.from("Not found"));
  const find = (target: string): Buffer => answers.get(target) ?? answers.get(pathOf(target)) ?? notFound;
  const serve = (socket: Socket): void => serveConnection(socket, find);
  return certificate ? createTlsServer({ ...certificate }, serve) : createServer(serve);
}

function answer(status: string, type: string, body: Buffer): Buffer {
  const head = `HTTP/1.1 ${status}\r\ncontent-type: ${type}; charset=utf-8\r\ncontent-length: ${body.length}${HEAD_END}`;
  return Buffer.concat([Buffer.from(head), body]);
}

function pathOf(target: string): string {
  const [path = ""] = target.split("?", 1);
  const decoded = path.includes("%") ? decodeURIComponent(path) : path;
  return decoded.endsWith("/") ? `${decoded}index.html` : decoded;
}

function serveConnection(socket: Socket, find: (target: string) => Buffer): void {
  let unread = "";
  socket.setNoDelay(true);
  // A client that is done, or was killed, resets what it had open.
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    unread += chunk.toString("latin1");
    for (let end = unread.indexOf(HEAD_END); end >= 0; end = unread.indexOf(HEAD_END)) {
      const head = unread.slice(0, end);
      unread = unread.slice(end + HEAD_END.length);
      const [method, target = "", version] = head.slice(0, head.indexOf("\r\n")).split(" ");
      const found = find(target);
      socket.write(method === "HEAD" ? found.subarray(0, found.indexOf(HEAD_END) + HEAD_END.length) : found);
      if (version === "HTTP/1.0" || /^connection: *close/im.test(head)) socket.end();
    }
  });
}
