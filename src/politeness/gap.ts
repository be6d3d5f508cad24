/** The gap of a host: the least time between two starts, and the range in which it may move. */
export interface Gap {
  /** As it stands now. */
  gapMs: number;
  /** What the caller wants at least. */
  readonly minGapMs: number;
  /** Up to where refusals may widen it. */
  readonly maxGapMs: number;
  /** What the site's robots.txt wants at least. */
  crawlDelayMs: number;
}

// Where the minimum is 0 there is nothing to double: a second is the first step, and the last one on the way back.
const FIRST_STEP_MS = 1000;

/** The least that the gap may be: the caller's wish or the site's, whichever is longer. */
export function gapFloorMs(gap: Gap): number {
  return Math.max(gap.minGapMs, gap.crawlDelayMs);
}

/** Whether the gap is as small as it may be. */
export function isGapClosed(gap: Gap): boolean {
  return gap.gapMs <= gapFloorMs(gap);
}

/** Doubles the gap, up to its maximum; a crawl-delay longer than that stays. */
export function widenGap(gap: Gap): void {
  const ceilingMs = Math.max(gap.maxGapMs, gapFloorMs(gap));
  gap.gapMs = Math.min(gap.gapMs > 0 ? gap.gapMs * 2 : FIRST_STEP_MS, ceilingMs);
}

/** Halves the gap, down to its floor. */
export function narrowGap(gap: Gap): void {
  const halfMs = gap.gapMs / 2;
  const floorMs = gapFloorMs(gap);
  gap.gapMs = floorMs === 0 && halfMs < FIRST_STEP_MS ? 0 : Math.max(halfMs, floorMs);
}
