import type { Socket } from "node:net";
import { buildConnector, Client, type Dispatcher } from "undici";

type BuildOptions = NonNullable<Parameters<typeof buildConnector>[0]>;
type Connect = ReturnType<typeof buildConnector>;

/**
 * The connections of one transport. An origin has as many as requests were in flight to it at once, since one that
 * has done its work is used before another is opened, also where undici would have it wait for the next turn of the
 * event loop. Of those with nothing to do no more than so many are kept, whatever the number of origins.
 */
export class Connections {
  readonly #connect: Connect;
  readonly #maxIdle: number;
  // In the order in which they became idle. One leaves when it is used, closed by either side, or one too many.
  readonly #idle = new Set<Connection>();
  // The same ones by origin. An origin leaves with its last one.
  readonly #idleByOrigin = new Map<string, Connection[]>();

  constructor(maxIdle: number, options: BuildOptions) {
    this.#maxIdle = maxIdle;
    // The deadline of the whole request counts for this part of it too.
    this.#connect = buildConnector({ allowH2: false, timeout: 0, ...options });
  }

  /** One that nobody else uses; to be given back. */
  take(origin: string): Connection {
    const kept = this.#idleByOrigin.get(origin)?.at(-1);
    if (kept === undefined) return new Connection(origin, this.#connect, (closed) => this.#drop(closed));
    this.#forget(kept);
    return kept;
  }

  giveBack(connection: Connection): void {
    if (!connection.isOpen) {
      void connection.destroy();
      return;
    }
    this.#idle.add(connection);
    const ofOrigin = this.#idleByOrigin.get(connection.origin);
    if (ofOrigin === undefined) this.#idleByOrigin.set(connection.origin, [connection]);
    else ofOrigin.push(connection);
    const [oldest] = this.#idle;
    if (oldest !== undefined && this.#idle.size > this.#maxIdle) this.#drop(oldest);
  }

  /** Closes what is idle. What is in use stays. */
  async close(): Promise<void> {
    const idle = [...this.#idle];
    this.#idle.clear();
    this.#idleByOrigin.clear();
    await Promise.all(idle.map((connection) => connection.destroy()));
  }

  #drop(connection: Connection): void {
    if (!this.#idle.has(connection)) return;
    this.#forget(connection);
    void connection.destroy();
  }

  #forget(connection: Connection): void {
    const { origin } = connection;
    this.#idle.delete(connection);
    const left = this.#idleByOrigin.get(origin) ?? [];
    left.splice(left.lastIndexOf(connection), 1);
    if (left.length === 0) this.#idleByOrigin.delete(origin);
  }
}

/** One of undici's clients, which has one connection to one origin and opens it anew where it was closed. */
export class Connection {
  readonly origin: string;
  readonly #client: Client;
  #socket: Socket | undefined;
  #isOpen = false;

  constructor(origin: string, connect: Connect, onClose: (connection: Connection) => void) {
    this.origin = origin;
    this.#client = new Client(origin, {
      pipelining: 1,
      // There is one deadline, above.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        // undici gives the socket at once, though its types do not tell: until it is connected there is no other way to it.
        this.#socket = connect(options, callback) as unknown as Socket;
      },
    });
    this.#client.on("connect", () => {
      this.#isOpen = true;
    });
    this.#client.on("disconnect", () => {
      this.#isOpen = false;
      onClose(this);
    });
  }

  get isOpen(): boolean {
    return this.#isOpen && !this.#client.destroyed;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(options, handler);
  }

  /** Closes it, also where it is not open yet, and fails what was dispatched. */
  async destroy(): Promise<void> {
    if (!this.#isOpen) this.#socket?.destroy();
    if (!this.#client.destroyed) await this.#client.destroy();
  }
}
