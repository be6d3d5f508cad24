// Stands in for `node:timers/promises` in the worker's bundle.
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
