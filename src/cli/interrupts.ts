/** What an interruption may do to a crawl. */
export interface Interruptible {
  /** Ends gently. */
  stop(): void;
  stopAtOnce(): void;
}

/** The first Ctrl-C stops gently, the second one ends the crawl at once; a third one is the runtime's. */
export function watchInterrupts(
  onInterrupt: (listener: () => void) => () => void,
  crawl: Interruptible,
): { readonly seen: number; off(): void } {
  let seen = 0;
  const off = onInterrupt(() => {
    seen++;
    if (seen === 1) {
      crawl.stop();
    } else {
      off();
      crawl.stopAtOnce();
    }
  });
  return {
    get seen() {
      return seen;
    },
    off,
  };
}
