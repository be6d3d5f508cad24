import { Heap } from "../../src/heap.ts";
import {
  type Host,
  type HostOutcome,
  type HostPace,
  newHost,
  observe,
  type PaceChange,
  type PaceRules,
  readyAtMs,
  type StartTicket,
  start,
} from "../../src/politeness/host.ts";
import type { SimulatedAnswer } from "./simulated_host.ts";

/** The functions of a pace, so that a faulty form of one of them can be tried under the same checks. */
export interface Pace {
  readyAtMs(host: Host): number;
  start(host: Host, nowMs: number): StartTicket;
  observe(host: Host, ticket: StartTicket, outcome: HostOutcome, nowMs: number): PaceChange | undefined;
}

/** The pace as it is. */
export const truePace: Pace = { readyAtMs, start, observe };

/** One thing that happened in a simulation, in the order of time. */
export type PaceEvent =
  | { readonly type: "start"; readonly atMs: number; readonly request: number }
  | {
      readonly type: "end";
      readonly atMs: number;
      readonly request: number;
      readonly outcome: HostOutcome;
      readonly change: PaceChange | undefined;
    };

export interface Simulation {
  readonly server: { serve(nowMs: number): SimulatedAnswer };
  readonly rules: PaceRules;
  readonly saved?: HostPace;
  /** It ends when so many have been answered, refusals included. */
  readonly requests?: number;
  /** It ends at this time. */
  readonly untilMs?: number;
  readonly timeoutMs?: number;
  readonly pace?: Pace;
  readonly onEvent?: (event: PaceEvent, host: Host) => void;
}

/** How one outcome came about; kept for every request of a simulation. */
export interface Served {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly outcome: HostOutcome["type"];
}

export interface SimulationResult {
  readonly host: Host;
  readonly served: readonly Served[];
  readonly endedMs: number;
  /** Weighted with time. */
  readonly averageLimit: number;
  readonly highestLimit: number;
}

interface InFlight {
  readonly request: number;
  readonly ticket: StartTicket;
  readonly endsMs: number;
  readonly outcome: HostOutcome;
}

/** Sends requests to a server as fast as the pace allows, as an engine with endless work would. */
export function simulate(simulation: Simulation): SimulationResult {
  const { server, rules, saved, requests = Infinity, untilMs = Infinity, timeoutMs = 10_000 } = simulation;
  const { pace = truePace, onEvent } = simulation;
  const host = newHost("simulated.test", rules, saved);
  const inFlight = new Heap<InFlight>((a, b) => a.endsMs < b.endsMs);
  const served: Served[] = [];
  let nowMs = 0;
  let started = 0;
  let limitTimesMs = 0;
  let highestLimit = host.limit;
  while (served.length < requests) {
    const nextEndMs = inFlight.peek()?.endsMs ?? Infinity;
    const nextStartMs = started < requests ? Math.max(nowMs, pace.readyAtMs(host)) : Infinity;
    const nextMs = Math.min(nextEndMs, nextStartMs);
    if (Number.isNaN(nextMs)) throw new RangeError(`Cannot go on from ${nowMs} ms as the pace gives NaN`);
    if (nextMs > untilMs || nextMs === Infinity) break;
    limitTimesMs += host.limit * (nextMs - nowMs);
    nowMs = nextMs;
    // A place that becomes free at this instant is free for who starts at this instant.
    if (nextEndMs <= nextStartMs) {
      const { request, ticket, outcome } = inFlight.pop()!;
      const change = pace.observe(host, ticket, outcome, nowMs);
      served.push({ startedMs: ticket.startedMs, endedMs: nowMs, outcome: outcome.type });
      highestLimit = Math.max(highestLimit, host.limit);
      onEvent?.({ type: "end", atMs: nowMs, request, outcome, change }, host);
    } else {
      const request = started++;
      const ticket = pace.start(host, nowMs);
      inFlight.push({ request, ticket, ...ending(server.serve(nowMs), nowMs, timeoutMs) });
      onEvent?.({ type: "start", atMs: nowMs, request }, host);
    }
  }
  return { host, served, endedMs: nowMs, averageLimit: limitTimesMs / nowMs, highestLimit };
}

function ending(
  answer: SimulatedAnswer,
  nowMs: number,
  timeoutMs: number,
): { endsMs: number; outcome: HostOutcome } {
  const { status, finishesAtMs, retryAfterMs } = answer;
  if (finishesAtMs - nowMs > timeoutMs) return { endsMs: nowMs + timeoutMs, outcome: { type: "timeout" } };
  const retryAfter = retryAfterMs !== undefined && { retryAfterMs };
  return { endsMs: finishesAtMs, outcome: outcomeOf(status, finishesAtMs - nowMs, retryAfter) };
}

function outcomeOf(
  status: number | undefined,
  responseMs: number,
  retryAfter: false | { retryAfterMs: number },
): HostOutcome {
  if (status === undefined || (status >= 500 && status !== 503)) return { type: "fault" };
  if (status === 429 || status === 503) return { type: "throttled", ...retryAfter };
  if (status >= 400) return { type: "other" };
  return { type: "success", responseMs, ...retryAfter };
}
