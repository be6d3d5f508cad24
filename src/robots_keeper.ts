import type { Admission } from "./admission.ts";
import { endOf, hostOutcome, longRest } from "./disposition.ts";
import type { Fetcher } from "./fetcher.ts";
import type { Hosts } from "./hosts.ts";
import type { Journal } from "./journal.ts";
import type { Settings } from "./options.ts";
import { observe, readyAtMs, setCrawlDelay, start } from "./politeness/host.ts";
import type { CrawlRequest } from "./request.ts";
import { robotsHeaders } from "./request_headers.ts";
import { RobotsGate } from "./robots_gate.ts";
import { loadRobots, type RobotsOutcome, receiveRobots } from "./robots_loader.ts";
import { originOf } from "./web/url.ts";
import type { Errand, VisitState } from "./workbench.ts";

/** What the keeper works with. */
export interface RobotsParts {
  readonly settings: Settings;
  readonly admission: Admission;
  readonly hosts: Hosts;
  readonly journal: Journal;
  readonly fetcher: Fetcher;
  /** Called with what an origin's robots.txt lists, before anything of the origin is asked for. */
  readonly onSitemaps: (origin: string, sitemaps: readonly string[]) => Promise<void>;
  /** Called when a host may have become due. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** What is to be done with a host's first request. */
export type RobotsLeave =
  | { readonly type: "go" }
  | { readonly type: "wait" }
  | {
      readonly type: "skip";
      readonly reason: "robots" | "robots-unreachable";
      readonly detail?: string | undefined;
    };

/** Has each origin's robots.txt fetched before its first request, through its host's gate, and keeps to it. */
export class RobotsKeeper {
  readonly #parts: RobotsParts;
  readonly #gate: RobotsGate;
  // By origin: hosts whose first request waits for its robots.txt. An entry leaves when that is there.
  readonly #waiting = new Map<string, Set<VisitState>>();
  // By host, and then by origin: a host has one of http and one of https, and owes the longer one. An entry stays for
  // the crawl, as its host's pace does.
  readonly #delaysMs = new Map<string, Map<string, number>>();

  constructor(robots: NonNullable<Settings["robots"]>, parts: RobotsParts) {
    this.#parts = parts;
    this.#gate = new RobotsGate(robots, parts.settings);
  }

  /** What an origin's robots.txt lists; `undefined` where it is not known yet, or not any more. */
  sitemaps(origin: string): readonly string[] | undefined {
    return this.#gate.sitemaps(origin);
  }

  /** Whether a host's first request may go now. If not, the host is blocked until it is worth asking again. */
  leave(state: VisitState, request: CrawlRequest, nowMs: number): RobotsLeave {
    const verdict = this.#gate.verdict(request.url, nowMs);
    const origin = originOf(request.url);
    switch (verdict.type) {
      case "allowed":
        if (verdict.isStale) this.#ask(origin);
        this.#slow(state);
        return { type: readyAtMs(state.host) <= nowMs ? "go" : "wait" };
      case "forbidden":
        return { type: "skip", reason: verdict.reason, detail: verdict.detail };
      case "unknown":
        this.#block(state, origin, Number.POSITIVE_INFINITY);
        this.#ask(origin);
        return { type: "wait" };
      case "wait":
        this.#block(state, origin, verdict.untilMs);
        return { type: "wait" };
      default:
        return verdict satisfies never;
    }
  }

  /** Sends a request for robots.txt whose host is ready. */
  async carry(state: VisitState, errand: Errand): Promise<void> {
    const { settings, admission, hosts, journal, fetcher } = this.#parts;
    const { clock } = settings;
    const { url } = errand;
    const host = state.host.name;
    if (state.host.lastStartMs === Number.NEGATIVE_INFINITY) journal.meetHost();
    const ticket = start(state.host, clock.now());
    hosts.update(state);
    journal.tell({ type: "started", kind: "robots", url, host, attempt: 1 });
    const outcome = await receiveRobots(fetcher, url, robotsHeaders(url, settings, admission));
    const nowMs = clock.now();
    journal.tell({ type: "ended", kind: "robots", url, host, ...endOf(outcome) });
    if (outcome.type !== "failure" && outcome.type !== "aborted") state.hasAnswered = true;
    hosts.notePace(state, observe(state.host, ticket, hostOutcome(outcome, nowMs), nowMs));
    const rest = longRest(host, outcome, settings, nowMs);
    if (rest !== undefined) hosts.giveUp(state, "retry-after", rest.untilMs, rest.detail);
    hosts.giveUpIfFailing(state);
    hosts.update(state);
    errand.settle(outcome);
  }

  #block(state: VisitState, origin: string, untilMs: number): void {
    state.blockedUntilMs = untilMs;
    this.#parts.hosts.update(state);
    if (untilMs !== Number.POSITIVE_INFINITY) return;
    const waiting = this.#waiting.get(origin);
    if (waiting === undefined) this.#waiting.set(origin, new Set([state]));
    else waiting.add(state);
  }

  #ask(origin: string): void {
    this.#gate.begin(origin);
    this.#load(origin).catch(this.#parts.onError);
  }

  async #load(origin: string): Promise<void> {
    const { admission, settings, onSitemaps, journal, onChange } = this.#parts;
    const answer = await loadRobots(
      origin,
      (url) => this.#send(url),
      (url) => admission.mayContact(url) && !this.#isLeftAlone(url),
    );
    if (answer.type === "aborted") return;
    const nowMs = settings.clock.now();
    if (answer.type === "unreachable") {
      const { status, reason } = answer;
      const fault = reason ?? `status ${status}`;
      const retryAtMs = this.#gate.unreachable(origin, nowMs, fault);
      journal.tell({ type: "robots", origin, policy: "unreachable", status, reason, retryAtMs });
    } else {
      await onSitemaps(origin, answer.rules.sitemaps);
      this.#gate.ready(origin, answer.rules, nowMs);
      const crawlDelayMs = this.#gate.crawlDelayMs(origin);
      const { type: policy, status } = answer;
      journal.tell({ type: "robots", origin, policy, status, crawlDelayMs });
      this.#noteDelay(origin, crawlDelayMs);
    }
    this.#unblock(origin);
    onChange();
  }

  /** Whether a URL's host is down or at rest. One that has given all the pages it may still gives rules. */
  #isLeftAlone(url: string): boolean {
    const { hosts, settings } = this.#parts;
    const givenUp = hosts.whyGivenUp(settings.hostKey(url), settings.clock.now());
    return givenUp !== undefined && givenUp.reason !== "budget";
  }

  /** Sends a request through its host's gate. */
  #send(url: string): Promise<RobotsOutcome> {
    return new Promise((settle) => {
      const { hosts, settings, onChange } = this.#parts;
      const state = hosts.inHand(settings.hostKey(url));
      state.errands.push({ url, settle });
      hosts.update(state);
      onChange();
    });
  }

  /** Notes the crawl-delay of an origin, and slows its host if that is in hand. */
  #noteDelay(origin: string, crawlDelayMs: number | undefined): void {
    const { hosts, settings } = this.#parts;
    const host = settings.hostKey(`${origin}/`);
    const delaysMs = this.#delaysMs.get(host) ?? new Map<string, number>();
    if (crawlDelayMs === undefined) delaysMs.delete(origin);
    else this.#delaysMs.set(host, delaysMs.set(origin, crawlDelayMs));
    const state = hosts.bench.get(host);
    if (state !== undefined) this.#slow(state);
  }

  /** Gives a host the crawl-delay that it is owed: it may have been out of hand when that became known. */
  #slow(state: VisitState): void {
    const { hosts } = this.#parts;
    const delaysMs = this.#delaysMs.get(state.host.name)?.values() ?? [];
    const longestMs = Math.max(0, ...delaysMs);
    if (longestMs === state.host.crawlDelayMs) return;
    hosts.notePace(state, setCrawlDelay(state.host, longestMs === 0 ? undefined : longestMs));
    hosts.update(state);
  }

  #unblock(origin: string): void {
    for (const state of this.#waiting.get(origin) ?? []) {
      state.blockedUntilMs = 0;
      this.#parts.hosts.update(state);
    }
    this.#waiting.delete(origin);
  }
}
