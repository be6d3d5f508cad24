import type { Admission } from "./admission.ts";
import type { Cookies } from "./cookies.ts";
import { discover, followedLinks } from "./discovery.ts";
import {
  type Disposition,
  dispose,
  endOf,
  hostOutcome,
  isInChain,
  longRest,
  wantsBody,
} from "./disposition.ts";
import type { Fetcher, HopOutcome, HopResponse, HopStream } from "./fetcher.ts";
import type { Hosts } from "./hosts.ts";
import type { Intake } from "./intake.ts";
import type { Journal } from "./journal.ts";
import type { Settings } from "./options.ts";
import type { Delivery, Outbox } from "./outbox.ts";
import { Page } from "./page.ts";
import type { PageMaker } from "./page_maker.ts";
import { observe, start } from "./politeness/host.ts";
import type { CrawlRequest } from "./request.ts";
import { requestHeaders } from "./request_headers.ts";
import type { CrawlResult, Skip } from "./result.ts";
import type { Scope } from "./scope.ts";
import { MAX_SITEMAP_BYTES, type SitemapReceiver } from "./sitemap_receiver.ts";
import { StaleConnections } from "./stale_connections.ts";
import { addConditions, type Validators, validatorsOf } from "./validators.ts";
import { mediaType } from "./web/content_type.ts";
import type { VisitState } from "./workbench.ts";

/** What a carrier works with. */
export interface CarrierParts {
  readonly settings: Settings;
  readonly scope: Scope;
  /** Lets a store keep at once what the crawl remembers beside its requests. */
  readonly saveState: () => Promise<void>;
  readonly admission: Admission;
  readonly hosts: Hosts;
  readonly intake: Intake;
  readonly journal: Journal;
  readonly outbox: Outbox;
  readonly fetcher: Fetcher;
  readonly pageMaker: PageMaker;
  readonly sitemapReceiver: SitemapReceiver;
  /** Whether the crawl has ended, so that no outcome counts any more. */
  readonly isOver: () => boolean;
}

/** Carries one request from its start to its result, and its result's links back to the frontier. */
export class Carrier {
  readonly #parts: CarrierParts;
  readonly #staleConnections = new StaleConnections();
  #pagesInFlight = 0;
  cookies: Cookies | undefined;

  constructor(parts: CarrierParts) {
    this.#parts = parts;
  }

  /** Requests in flight that may each become a page. */
  get pagesInFlight(): number {
    return this.#pagesInFlight;
  }

  /** Sends a request whose host is ready, and sees to its result. */
  async carry(state: VisitState, request: CrawlRequest): Promise<void> {
    const { settings, hosts, journal, admission, fetcher, sitemapReceiver, isOver } = this.#parts;
    const { clock } = settings;
    const isPage = request.kind === undefined;
    // The caller's own function, which may throw: nothing has begun then.
    const headers = requestHeaders(request, settings, admission, this.cookies);
    if (state.host.lastStartMs === Number.NEGATIVE_INFINITY) journal.meetHost();
    const ticket = start(state.host, clock.now());
    if (isPage) {
      state.pagesInFlight++;
      this.#pagesInFlight++;
    }
    hosts.update(state);
    try {
      const { url, host, method, body, attempts = 0 } = request;
      // Told before anything is waited for: budgets go by it.
      journal.tell({ type: "started", kind: request.kind ?? "page", url, host, attempt: attempts + 1 });
      const { revalidate } = settings;
      const known = isPage && revalidate !== undefined ? await revalidate.get(request.key) : undefined;
      if (known !== undefined) addConditions(headers, known);
      const outcome = await fetcher.fetch({
        url,
        headers,
        wants: (status, headers) => wantsBody(request, status, headers, settings),
        ...(method !== undefined && { method }),
        ...(body !== undefined && { body }),
        ...(!isPage && { stream: true, maxBodyBytes: MAX_SITEMAP_BYTES }),
      });
      const sitemap = outcome.type === "stream" ? await sitemapReceiver.receive(request, outcome) : undefined;
      const nowMs = clock.now();
      journal.tell({ type: "ended", kind: request.kind ?? "page", url, host, ...endOf(outcome) });
      // The host is given back at the end, and must not seem to have something in flight for ever.
      const change = observe(state.host, ticket, hostOutcome(outcome, nowMs), nowMs);
      if (isOver()) return;
      hosts.notePace(state, change);
      if (sitemap !== undefined) await this.#endSitemap(state, request, sitemap.entries, sitemap.problems);
      else await this.#settle(state, request, outcome, known, nowMs);
    } finally {
      if (isPage) {
        state.pagesInFlight--;
        this.#pagesInFlight--;
      }
      state.blockedUntilMs = 0;
      hosts.update(state);
    }
  }

  /** Ends a request that is not asked for. */
  async skip(
    state: VisitState,
    request: CrawlRequest,
    skip: Pick<Skip, "reason" | "detail" | "status">,
  ): Promise<void> {
    if (request.kind === "sitemap") {
      await this.#endSitemap(state, request, 0, [`it was skipped: ${skip.detail ?? skip.reason}`]);
      return;
    }
    const { url, referrer } = request;
    await this.#end(state, request, { type: "skip", url, referrer, request, ...skip });
  }

  async #settle(
    state: VisitState,
    request: CrawlRequest,
    outcome: HopOutcome,
    known: Validators | undefined,
    nowMs: number,
  ): Promise<void> {
    const { settings, hosts, journal } = this.#parts;
    if (outcome.type !== "failure" && outcome.type !== "aborted") {
      state.hasAnswered = true;
      this.cookies?.store(request.url, outcome.headers);
    }
    const rest = longRest(state.host.name, outcome, settings, nowMs);
    if (rest !== undefined) hosts.giveUp(state, "retry-after", rest.untilMs, rest.detail);
    const disposition = dispose(request, outcome, settings, nowMs);
    const isInTouch =
      state.hasAnswered && hosts.whyGivenUp(state.host.name, settings.clock.now()) === undefined;
    if (this.#staleConnections.mayRepeat(request, outcome, disposition, isInTouch)) {
      journal.tell({ type: "retrying", request, notBeforeMs: nowMs, reason: "reset" });
      state.ready.unshift(request);
      return;
    }
    hosts.giveUpIfFailing(state);
    switch (disposition.type) {
      case "aborted":
        await hosts.defer(state, request, nowMs);
        break;
      case "retry":
        await this.#retry(state, request, disposition, outcome);
        break;
      case "retry-after": {
        const { detail, status } = disposition;
        await this.skip(state, request, { reason: "retry-after", detail, status });
        break;
      }
      case "redirect":
        await this.#redirect(state, request, disposition.status, disposition.target);
        break;
      case "failure": {
        const { reason, cause, status } = disposition;
        const attempts = (request.attempts ?? 0) + 1;
        await this.#end(state, request, {
          type: "failure",
          url: request.url,
          request,
          reason,
          attempts,
          status,
          cause,
        });
        break;
      }
      case "unread":
        await this.#endUnread(state, request, disposition);
        break;
      case "answer":
        await this.#endAnswer(state, request, disposition.outcome, known);
        break;
      default:
        disposition satisfies never;
    }
  }

  async #retry(
    state: VisitState,
    request: CrawlRequest,
    { notBeforeMs, attempts }: Extract<Disposition, { type: "retry" }>,
    outcome: HopOutcome,
  ): Promise<void> {
    const { hosts, journal, settings } = this.#parts;
    const status = outcome.type === "aborted" ? undefined : outcome.status;
    const reason = outcome.type === "failure" ? outcome.reason : undefined;
    const givenUp = hosts.whyGivenUp(state.host.name, settings.clock.now());
    if (givenUp !== undefined) {
      await this.skip(state, request, { reason: givenUp.reason, detail: givenUp.detail, status });
      return;
    }
    journal.tell({ type: "retrying", request, notBeforeMs, status, reason });
    await hosts.defer(state, { ...request, attempts }, notBeforeMs);
  }

  async #redirect(state: VisitState, request: CrawlRequest, status: number, target: string): Promise<void> {
    const { admission, hosts, journal, settings } = this.#parts;
    const next = admission.redirect(request, status, target);
    if ("refused" in next) {
      await this.skip(state, request, {
        reason: next.refused,
        detail: `it redirects to ${next.url}`,
        status,
      });
      return;
    }
    const mayRepeat = settings.cookies && isInChain(request, next.url, settings.keys);
    const accepted = await hosts.complete(state, request, [mayRepeat ? { ...next, revisit: true } : next]);
    if (accepted.length > 0) {
      journal.tell({ type: "redirected", request, status, to: next.url });
    } else if (request.kind === undefined) {
      const { url, referrer } = request;
      const detail = `it redirects to ${next.url}`;
      this.#tell({ type: "skip", url, reason: "seen", referrer, request, status, detail }, done);
    }
  }

  async #endUnread(
    state: VisitState,
    request: CrawlRequest,
    { status, headers, startedAtMs, responseMs }: Extract<Disposition, { type: "unread" }>,
  ): Promise<void> {
    if (request.kind === "sitemap") {
      await this.#endSitemap(state, request, 0, [`it was answered with status ${status}`]);
    } else if (status >= 200 && status <= 299) {
      const detail = mediaType(headers.get("content-type"));
      await this.skip(state, request, { reason: "content-type", status, detail });
    } else {
      const body = new Uint8Array();
      await this.#endPage(state, request, { status, headers, body, startedAtMs, responseMs });
    }
  }

  async #endAnswer(
    state: VisitState,
    request: CrawlRequest,
    outcome: HopResponse | HopStream,
    known: Validators | undefined,
  ): Promise<void> {
    if (outcome.type === "stream")
      throw new Error(`Cannot make a page of '${request.url}' as its body is a stream`);
    if (request.kind === "sitemap") {
      // A sitemap without a body is no stream.
      await this.#endSitemap(state, request, 0, ["it is empty"]);
      return;
    }
    await this.#endPage(state, request, outcome, known);
  }

  async #endPage(
    state: VisitState,
    request: CrawlRequest,
    answer: Omit<HopResponse, "type">,
    known?: Validators,
  ): Promise<void> {
    const { pageMaker, scope, journal, intake, saveState } = this.#parts;
    const page = pageMaker.make(request, answer, known);
    if (!(page instanceof Page)) {
      await this.skip(state, request, { ...page, status: answer.status });
      return;
    }
    if (request.seed && page.redirects.length > 0) {
      if (scope.addSeed(page.url)) {
        journal.tell({ type: "scope", host: request.host, from: page.redirects[0]!.url });
        // No later run comes by that redirect again.
        await saveState();
      }
      await intake.noteLanding(page.url);
    }
    this.#tell(page, (delivery) => this.#acknowledge(state, request, page, delivery));
  }

  /** The reader is done with a page: it is tried again if the reader said so, else its links are queued. */
  async #acknowledge(
    state: VisitState,
    request: CrawlRequest,
    page: Page,
    delivery: Delivery,
  ): Promise<void> {
    const { settings, admission, hosts, intake, journal } = this.#parts;
    const { retryAtMs } = delivery;
    if (retryAtMs !== undefined) {
      journal.tell({ type: "retrying", request, notBeforeMs: retryAtMs, status: page.status });
      const { attempts, ...fresh } = request;
      await hosts.defer(state, fresh, retryAtMs);
      intake.accept([fresh]);
      return;
    }
    const { requests, refusals } = discover(page, settings, admission);
    intake.accept(await hosts.complete(state, request, requests));
    intake.refuse(refusals, page.url);
    if (settings.revalidate === undefined || !page.ok) return;
    const links = followedLinks(page, settings);
    const validators = validatorsOf(page.headers, links);
    if (validators !== undefined) await settings.revalidate.set(request.key, validators);
  }

  async #endSitemap(
    state: VisitState,
    request: CrawlRequest,
    entries: number,
    problems: readonly string[],
  ): Promise<void> {
    this.#parts.journal.tell({ type: "sitemap", url: request.url, entries, problems });
    await this.#parts.hosts.complete(state, request, []);
  }

  async #end(state: VisitState, request: CrawlRequest, result: Exclude<CrawlResult, Page>): Promise<void> {
    if (request.kind === "sitemap") {
      const problem =
        result.type === "failure" ? `it failed: ${result.reason}` : `it was skipped: ${result.reason}`;
      await this.#endSitemap(state, request, 0, [problem]);
      return;
    }
    const complete = async (): Promise<void> => {
      await this.#parts.hosts.complete(state, request, []);
    };
    if (this.#parts.settings.results !== "all") await complete();
    this.#tell(result, complete);
  }

  /** Tells a result, and hands it to the reader if it is one that the reader wants. */
  #tell(result: CrawlResult, acknowledge: Delivery["acknowledge"]): void {
    const { journal, outbox, settings } = this.#parts;
    journal.tellResult(result);
    if (result.type === "page" || settings.results === "all") outbox.push({ result, acknowledge });
  }
}

async function done(): Promise<void> {}
