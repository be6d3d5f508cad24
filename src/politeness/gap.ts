/** The gap of a host, the least time between two starts, and the range in which it may move. */
export interface Gap {
  /** As it stands now. */
  gapMs: number;
  /** What the caller wants at least. */
  readonly minGapMs: number;
  /** Up to where refusals may widen it. */
  readonly maxGapMs: number;
  /** What the site's robots.txt wants at least; 0 where it wants nothing. */
  crawlDelayMs: number;
  /** What the host's refusals have taught is too fast; 0 where they taught nothing. */
  learnedGapMs: number;
}

// Where the minimum is 0 there is nothing to double: a second is the first step, and the last one on the way back.
const FIRST_STEP_MS = 1000;

/** The least that the gap may be now: the caller's wish, the site's, or what refusals have taught. */
export function gapFloorMs(gap: Gap): number {
  return Math.max(gap.minGapMs, gap.crawlDelayMs, Math.min(gap.learnedGapMs, gap.maxGapMs));
}

/** Whether the gap is as small as it may be. */
export function isGapClosed(gap: Gap): boolean {
  return gap.gapMs <= gapFloorMs(gap);
}

/** The next wider gap: twice as wide, up to the maximum; a crawl-delay beyond the maximum stays. */
export function widerGapMs(gap: Gap): number {
  const doubleMs = gap.gapMs > 0 ? gap.gapMs * 2 : FIRST_STEP_MS;
  return Math.max(Math.min(doubleMs, gap.maxGapMs), gapFloorMs(gap));
}

/** The next narrower gap: half as wide, down to the floor; under one second a floor of 0 is reached at once. */
export function narrowerGapMs(gap: Gap): number {
  const floorMs = gapFloorMs(gap);
  const halfMs = gap.gapMs / 2;
  return floorMs === 0 && halfMs < FIRST_STEP_MS ? 0 : Math.max(halfMs, floorMs);
}
