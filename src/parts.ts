import { Admission } from "./admission.ts";
import { Budgets } from "./budgets.ts";
import { Carrier } from "./carrier.ts";
import { Fetcher } from "./fetcher.ts";
import { BloomFilter } from "./frontier/bloom.ts";
import type { Frontier } from "./frontier/frontier.ts";
import { MemoryFrontier } from "./frontier/memory.ts";
import { SeenTable } from "./frontier/seen.ts";
import { Hosts } from "./hosts.ts";
import { Intake } from "./intake.ts";
import { Journal } from "./journal.ts";
import type { Settings } from "./options.ts";
import { Outbox } from "./outbox.ts";
import { PageMaker } from "./page_maker.ts";
import type { Skip } from "./result.ts";
import { RobotsKeeper } from "./robots_keeper.ts";
import { Scope } from "./scope.ts";
import { SitemapReceiver } from "./sitemap_receiver.ts";
import { type SavedCrawl, type SavedState, SNAPSHOT_VERSION } from "./snapshot.ts";
import { Steering } from "./steering.ts";
import { Waker } from "./waker.ts";

/** What a crawl is made of, each part with what it uses. */
export interface Parts {
  readonly scope: Scope;
  readonly admission: Admission;
  readonly frontier: Frontier;
  readonly journal: Journal;
  readonly budgets: Budgets;
  readonly hosts: Hosts;
  readonly intake: Intake;
  readonly outbox: Outbox;
  readonly waker: Waker;
  readonly fetcher: Fetcher;
  readonly robotsFetcher: Fetcher;
  readonly robots: RobotsKeeper | undefined;
  readonly pageMaker: PageMaker;
  readonly sitemapReceiver: SitemapReceiver;
  readonly carrier: Carrier;
  readonly steering: Steering;
}

/** What the parts tell the engine. */
export interface Hooks {
  readonly onError: (error: unknown) => void;
  /** Gets what the observer throws. */
  readonly onObserverError: (error: unknown) => void;
  /** Gets a skip that no request stands behind. */
  readonly onSkip: (skip: Skip) => void;
  /** Runs work that may end in a result. */
  readonly occupy: (work: () => Promise<void>) => void;
  readonly isOver: () => boolean;
  /** Lets a store keep at once what the crawl remembers beside its requests. */
  readonly saveState: () => Promise<void>;
}

/** Makes the parts of one crawl, with what its snapshot holds where it goes on with one. */
export function makeParts(settings: Settings, hooks: Hooks): Parts {
  const { transport, robotsTransport, timeoutMs, maxBodyBytes, clock, random, robots, resume } = settings;
  const { onError, onObserverError, onSkip, occupy, isOver, saveState } = hooks;
  const salt = Math.floor(random() * 2 ** 32);
  const waker = new Waker(clock);
  const onChange = (): void => waker.wake();
  const outbox = new Outbox();
  const journal = new Journal(clock, settings.onEvent, onObserverError);
  const scope = new Scope(settings.scope, settings.include, settings.exclude);
  const frontier = settings.frontier ?? memoryFrontier(settings, salt);
  const admission = new Admission(settings, scope, (key) => frontier.hasSeen?.(key) ?? false);
  const limits = { timeoutMs, maxBodyBytes, clock };
  const fetcher = new Fetcher({ transport, ...limits });
  const robotsFetcher =
    robotsTransport === transport ? fetcher : new Fetcher({ transport: robotsTransport, ...limits });
  const hosts = new Hosts(frontier, settings, journal, (state, request, skip) =>
    occupy(() => carrier.skip(state, request, skip)),
  );
  const sitemapsOf = (origin: string): readonly string[] | undefined =>
    keeper === undefined ? [] : keeper.sitemaps(origin);
  const intakeParts = { settings, admission, frontier, hosts, journal, sitemapsOf, onSkip, onChange };
  const intake = new Intake(intakeParts, salt);
  const pageMaker = new PageMaker(settings);
  const shared = { settings, admission, hosts, journal };
  const sitemapReceiver = new SitemapReceiver({ settings, admission, intake });
  const carrierParts = {
    ...shared,
    scope,
    intake,
    outbox,
    fetcher,
    pageMaker,
    sitemapReceiver,
    isOver,
    saveState,
  };
  const carrier = new Carrier(carrierParts);
  const onSitemaps = (origin: string, urls: readonly string[]): Promise<void> =>
    intake.noteSitemaps(origin, urls);
  const robotsParts = { ...shared, fetcher: robotsFetcher, onSitemaps, onChange, onError };
  const keeper = robots === undefined ? undefined : new RobotsKeeper(robots, robotsParts);
  const budgets = new Budgets(settings, journal);
  const steering = new Steering({ clock, admission, hosts, intake, journal, outbox, onSkip, occupy, isOver });
  const parts = { scope, admission, frontier, journal, budgets, hosts, intake, outbox, waker, fetcher };
  const all = { ...parts, robotsFetcher, robots: keeper, pageMaker, sitemapReceiver, carrier, steering };
  if (resume !== undefined) restore(all, resume);
  return all;
}

/**
 * A crawl at a standstill, as JSON.
 *
 * @throws {Error} where its store keeps it itself
 */
export function save(parts: Parts, settings: Settings): SavedCrawl {
  const { frontier, hosts } = parts;
  if (!(frontier instanceof MemoryFrontier)) {
    throw new Error("Cannot take a snapshot as the crawl's frontier keeps it: open that again to go on");
  }
  return { ...saveState(parts, settings), frontier: frontier.save(hosts.savePaces()) };
}

/** What a crawl remembers beside its frontier, as JSON. */
export function saveState(parts: Parts, { clock, resume }: Settings): SavedState {
  const { hosts, journal, admission, scope, pageMaker, carrier } = parts;
  return {
    version: SNAPSHOT_VERSION,
    takenAtMs: clock.now(),
    ...journal.save(),
    admission: admission.save(),
    territories: scope.save(),
    ...pageMaker.save(),
    givenUp: hosts.saveGivenUp(),
    paces: Array.from(hosts.savePaces(), ([host, { pace, dueMs }]) => [host, pace, dueMs] as const),
    cookies: carrier.cookies?.save() ?? resume?.cookies,
  };
}

/** Takes in what {@link saveState} gave, before anything starts. */
export function restore({ journal, admission, scope, pageMaker, hosts }: Parts, state: SavedState): void {
  journal.restore(state);
  admission.restore(state.admission);
  scope.restore(state.territories);
  pageMaker.restore(state);
  hosts.restoreGivenUp(state.givenUp);
  hosts.restorePaces(state.paces ?? []);
}

function memoryFrontier({ resume, seen }: Settings, salt: number): MemoryFrontier {
  if (resume !== undefined) return MemoryFrontier.restore(resume.frontier);
  return new MemoryFrontier(seen === "exact" ? new SeenTable(salt) : new BloomFilter(seen.bloom, salt));
}
