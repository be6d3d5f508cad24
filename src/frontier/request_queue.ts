import { Heap } from "../heap.ts";
import type { CrawlRequest } from "../request.ts";

// With more priorities than that, lanes would cost more than they save: what is left goes through a heap.
const MAX_LANES = 64;

// A lane lets go of its front part, which has been taken, when that is long and a quarter of all.
const MIN_TRIMMED = 1_024;

/** Requests of one priority, by order: mostly they come in that order. */
interface Lane {
  readonly priority: number;
  items: CrawlRequest[];
  /** Where the first of the items is. */
  head: number;
  readonly late: Heap<CrawlRequest>;
}

/**
 * Requests by priority, the higher first, then by order, the lower first. Few priorities are the rule, so that each has
 * a lane in which requests stand as they came: taking one costs the same however many wait.
 */
export class RequestQueue {
  /** By priority, the highest first. */
  readonly #lanes: Lane[] = [];
  readonly #others = new Heap<CrawlRequest>(goesBefore);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** All requests, in no order that means anything. */
  *values(): Iterable<CrawlRequest> {
    for (const { items, head, late } of this.#lanes) {
      for (let i = head; i < items.length; i++) yield items[i]!;
      yield* late.values();
    }
    yield* this.#others.values();
  }

  push(request: CrawlRequest): void {
    this.#size++;
    const lane = this.#laneOf(request.priority);
    if (lane === undefined) {
      this.#others.push(request);
      return;
    }
    const last = lane.items.at(-1);
    // What was put back, or a redirect's target, has the order of what it was.
    if (lane.head < lane.items.length && last!.order > request.order) lane.late.push(request);
    else lane.items.push(request);
  }

  pop(): CrawlRequest | undefined {
    while (this.#lanes.length > 0 && isEmpty(this.#lanes[0]!)) this.#lanes.shift();
    const lane = this.#lanes[0];
    const first = lane && peek(lane);
    const other = this.#others.peek();
    if (first === undefined && other === undefined) return undefined;
    this.#size--;
    if (first === undefined || (other !== undefined && goesBefore(other, first))) return this.#others.pop();
    return shift(lane!);
  }

  #laneOf(priority: number): Lane | undefined {
    let at = 0;
    while (at < this.#lanes.length && this.#lanes[at]!.priority > priority) at++;
    const lane = this.#lanes[at];
    if (lane?.priority === priority) return lane;
    if (this.#lanes.length >= MAX_LANES) return undefined;
    const added: Lane = { priority, items: [], head: 0, late: new Heap(goesBefore) };
    this.#lanes.splice(at, 0, added);
    return added;
  }
}

function goesBefore(a: CrawlRequest, b: CrawlRequest): boolean {
  return a.priority > b.priority || (a.priority === b.priority && a.order < b.order);
}

function isEmpty(lane: Lane): boolean {
  return lane.head === lane.items.length && lane.late.size === 0;
}

function peek({ items, head, late }: Lane): CrawlRequest | undefined {
  const first = items[head];
  const other = late.peek();
  return first === undefined || (other !== undefined && other.order < first.order) ? other : first;
}

function shift(lane: Lane): CrawlRequest | undefined {
  const { items, late } = lane;
  const first = peek(lane);
  if (first === late.peek()) return late.pop();
  lane.head++;
  if (lane.head >= MIN_TRIMMED && 4 * lane.head > items.length) {
    lane.items = items.slice(lane.head);
    lane.head = 0;
  }
  return first;
}
