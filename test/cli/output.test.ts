import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { streamOutput } from "../../src/cli/output.ts";

/** A stream as a process has it, whose reader may go away. */
class PipeStream extends EventEmitter {
  readonly written: string[] = [];
  broken = false;
  columns?: number;

  write(text: string, done: (error?: Error | null) => void): boolean {
    if (this.broken) {
      const error = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
      queueMicrotask(() => {
        done(error);
        this.emit("error", error);
      });
      return false;
    }
    this.written.push(text);
    queueMicrotask(() => done());
    return true;
  }
}

describe("streamOutput()", () => {
  test("hands the text on", async () => {
    const stream = new PipeStream();
    expect(await streamOutput(stream, {}).write("a\n")).toBe(true);
    expect(stream.written).toEqual(["a\n"]);
  });

  test("says false when nobody reads any more, and never throws or rejects", async () => {
    const stream = new PipeStream();
    const output = streamOutput(stream, {});
    stream.broken = true;
    expect(await output.write("a\n")).toBe(false);
    expect(await output.write("b\n")).toBe(false);
  });

  test("is no terminal unless the stream says so, and follows its width", () => {
    const stream: PipeStream & { isTTY?: boolean } = new PipeStream();
    expect(streamOutput(stream, {})).toMatchObject({ isTerminal: false, columns: 80 });
    stream.isTTY = true;
    const output = streamOutput(stream, {});
    expect(output.isTerminal).toBe(true);
    stream.columns = 40;
    expect(output.columns).toBe(40);
  });

  test("shows colours on a terminal alone, and none where NO_COLOR is set", () => {
    const terminal = Object.assign(new PipeStream(), { isTTY: true });
    expect(streamOutput(terminal, {}).isColoured).toBe(true);
    expect(streamOutput(terminal, { NO_COLOR: "1" }).isColoured).toBe(false);
    expect(streamOutput(terminal, { TERM: "dumb" })).toMatchObject({ isTerminal: false, isColoured: false });
    expect(streamOutput(new PipeStream(), {}).isColoured).toBe(false);
  });
});
