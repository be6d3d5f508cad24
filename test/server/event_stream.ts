/** An event as a client of a `text/event-stream` gets it, or what it is told beside events. */
export interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** All that an event stream says, read octet by octet as the HTML standard has it. */
export class EventStreamReader {
  readonly events: ReceivedEvent[] = [];
  readonly comments: string[] = [];
  retry: number | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #id = "";
  #event = "";
  #data: string[] = [];

  constructor(response: Response) {
    this.#reader = response.body!.getReader();
  }

  /** Takes the next piece in; `false` at the end. */
  async pull(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    for (const octet of value) {
      this.#rest += this.#decoder.decode(Uint8Array.of(octet), { stream: true });
      if (this.#rest.endsWith("\n")) this.#line();
    }
    return true;
  }

  async toEnd(): Promise<readonly ReceivedEvent[]> {
    while (await this.pull());
    return this.events;
  }

  /** Reads until there is such an event. */
  async until(isWanted: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent> {
    for (let at = 0; ; at++) {
      while (at >= this.events.length) if (!(await this.pull())) throw new Error("The stream ended before");
      if (isWanted(this.events[at]!)) return this.events[at]!;
    }
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }

  #line(): void {
    const line = this.#rest.slice(0, -1);
    this.#rest = "";
    if (line === "") {
      if (this.#data.length > 0) {
        this.events.push({ id: this.#id, event: this.#event || "message", data: this.#data.join("\n") });
      }
      this.#event = "";
      this.#data = [];
      return;
    }
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === "") this.comments.push(value);
    else if (name === "data") this.#data.push(value);
    else if (name === "event") this.#event = value;
    else if (name === "id") this.#id = value;
    else if (name === "retry") this.retry = Number(value);
  }
}

/** The events of that name, their data read as JSON. */
export function dataOf<T>(events: readonly ReceivedEvent[], name: string): T[] {
  return events.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data) as T);
}
