// Stands in for `node:timers` in the worker's bundle.
export function setImmediate(run: () => void): void {
  setTimeout(run, 0);
}
