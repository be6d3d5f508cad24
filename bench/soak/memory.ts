import process from "node:process";

/** Memory at one moment, after garbage was collected: bytes. */
export interface MemorySample {
  /** What JavaScript holds: objects, and the bytes of buffers beside them. */
  readonly heap: number;
  readonly resident: number;
}

/** What was used in the first third of a soak and in the last: medians, in bytes. */
export interface MemoryTrend {
  /** How many moments were compared. */
  readonly samples: number;
  readonly first: MemorySample;
  readonly last: MemorySample;
}

interface Collecting {
  gc?: () => void;
  Bun?: { gc(force: boolean): void };
}

/** Collects garbage and measures. */
export function sampleMemory(): MemorySample {
  const { gc, Bun } = globalThis as Collecting;
  if (Bun) Bun.gc(true);
  else gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

// In a shorter soak code is still compiled, and caches filled, for the first time.
const FEWEST_SAMPLES = 30;

/** Compares the first third with the last, once the first tenth, in which code is compiled, is left out. */
export function trendOf(samples: readonly MemorySample[]): MemoryTrend {
  const settled = samples.slice(Math.floor(samples.length / 10));
  const third = Math.max(1, Math.floor(settled.length / 3));
  return {
    samples: samples.length,
    first: median(settled.slice(0, third)),
    last: median(settled.slice(-third)),
  };
}

/** What grew by more than can be explained by chance, in sentences; none for a soak too short to tell. */
export function growth({ samples, first, last }: MemoryTrend): string[] {
  if (samples < FEWEST_SAMPLES) return [];
  const complaints: string[] = [];
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  // So 2 KB lost a request show in ten minutes, in which a runtime makes some 9,000.
  if (last.heap > first.heap * 1.15 + 4e6) {
    complaints.push(`heap grew from ${megabytes(first.heap)} to ${megabytes(last.heap)}`);
  }
  // Runtimes keep what they once had of the system for later.
  if (last.resident > first.resident * 1.3 + 40e6) {
    complaints.push(`RSS grew from ${megabytes(first.resident)} to ${megabytes(last.resident)}`);
  }
  return complaints;
}

function median(samples: readonly MemorySample[]): MemorySample {
  const middle = (of: (sample: MemorySample) => number): number =>
    samples.map(of).sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0;
  return { heap: middle(({ heap }) => heap), resident: middle(({ resident }) => resident) };
}
