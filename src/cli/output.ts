/** Where the command writes: standard output or standard error. */
export interface Output {
  /** Whether a person watches: then a line may be drawn anew in its place. */
  readonly isTerminal: boolean;
  /** The width of that terminal. */
  readonly columns: number;
  /** Whether colours are shown there. */
  readonly isColoured: boolean;
  /** Resolves once the text is handed on, to `false` when nobody reads any more. Never rejects. */
  write(text: string): Promise<boolean>;
}

/** What a process stream has, on every runtime. */
interface ProcessStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/**
 * The process's stream as an output.
 *
 * @param variables those of the environment: NO_COLOR (https://no-color.org) and a `dumb` terminal are respected
 */
export function streamOutput(
  stream: ProcessStream,
  variables: Readonly<Record<string, string | undefined>>,
): Output {
  const isTerminal = stream.isTTY === true && variables.TERM !== "dumb";
  let broken = false;
  // A reader that goes away (`| head -1`) is the end of the job and no fault of it.
  stream.on("error", () => {
    broken = true;
  });
  return {
    isTerminal,
    isColoured: isTerminal && !variables.NO_COLOR,
    get columns() {
      return stream.columns ?? 80;
    },
    write: (text) =>
      new Promise((resolve) => {
        if (broken) return resolve(false);
        stream.write(text, (error) => resolve(!error));
      }),
  };
}

/** Where nothing is shown. */
export const nowhere: Output = {
  isTerminal: false,
  columns: 80,
  isColoured: false,
  write: () => Promise.resolve(true),
};
