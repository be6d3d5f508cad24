import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A proper HTTP server on 127.0.0.1. */
export interface Loopback {
  readonly origin: string;
  /** The request targets as they came, in order. */
  readonly targets: readonly string[];
  /** Connections accepted so far. */
  readonly connections: number;
  readonly openSockets: number;
  /** Requests whose answer neither ended nor was given up by the client. */
  readonly unanswered: number;
  /** Settles once nothing is unanswered. Idle connections may stay: their client keeps them for the next request. */
  released(): Promise<void>;
  close(): Promise<void>;
}

export async function loopback(handler: RequestListener): Promise<Loopback> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const unanswered = new Set<ServerResponse>();
  let connections = 0;
  const server = createServer((request, response) => {
    targets.push(request.url ?? "");
    unanswered.add(response);
    response.on("close", () => {
      unanswered.delete(response);
      server.emit("released");
    });
    handler(request, response);
  });
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://127.0.0.1:${port}`,
    targets,
    get connections() {
      return connections;
    },
    get openSockets() {
      return sockets.size;
    },
    get unanswered() {
      return unanswered.size;
    },
    async released() {
      while (unanswered.size > 0) await once(server, "released");
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
