import { posix } from "node:path";
import { type Import, readImports } from "./imports.ts";

/**
 * The folders and files of the package, from the bottom of the dependencies to their top. A file imports only from
 * its own line and from those above it; files of one line may import each other, but never in a circle at run time.
 * `*` stands for the rest of a file's name, `**` for anything below a folder.
 */
const LAYERS: readonly (readonly string[])[] = [
  ["src/clock.ts", "src/version.ts", "src/cancellation.ts"],
  [
    "src/heap.ts",
    "src/due_order.ts",
    "src/nearest.ts",
    "src/waker.ts",
    "src/slots.ts",
    "src/deadlines.ts",
    "src/base64.ts",
  ],
  ["src/web/**"],
  ["src/request.ts", "src/validators.ts", "src/page_readers.ts"],
  ["src/page.ts", "src/result.ts"],
  ["src/politeness/**"],
  ["src/event.ts", "src/stats.ts"],
  ["src/frontier/**"],
  ["src/failure_reason.ts", "src/body.ts"],
  ["src/sent_request.ts"],
  ["src/fetcher.ts"],
  ["src/transport/**"],
  [
    "src/snapshot.ts",
    "src/workbench.ts",
    "src/withheld.ts",
    "src/resting_hosts.ts",
    "src/outbox.ts",
    "src/journal.ts",
    "src/leased_frontier.ts",
  ],
  ["src/options.ts"],
  ["src/option_rules.ts", "src/option_checks.ts", "src/settings.ts", "src/scope.ts", "src/cookies.ts"],
  ["src/seed.ts", "src/settled_links.ts", "src/admission.ts"],
  ["src/budgets.ts", "src/discovery.ts", "src/disposition.ts", "src/request_headers.ts"],
  ["src/stale_connections.ts"],
  ["src/feeder.ts", "src/hosts.ts", "src/intake.ts", "src/seed_feed.ts"],
  ["src/robots_gate.ts", "src/robots_loader.ts"],
  ["src/robots_keeper.ts", "src/steering.ts", "src/sitemap_feed.ts", "src/near_duplicates.ts"],
  ["src/sitemap_receiver.ts", "src/page_maker.ts"],
  ["src/carrier.ts"],
  ["src/dispatcher.ts"],
  ["src/parts.ts"],
  ["src/engine.ts"],
  ["src/crawl.ts", "src/router.ts"],
  ["src/output/**"],
  ["mod.ts"],
  ["src/testing/**"],
  ["src/server/**"],
  ["src/cli/**"],
];

/** Who may import which package. One that is missing here may be imported by nobody. */
const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  "@hono/node-server": ["src/server/main.ts"],
  "d3-dsv": ["src/output/**"],
  "fast-check": ["src/testing/**"],
  "fast-xml-parser": ["src/web/sitemap*.ts"],
  hono: ["src/server/**"],
  linkedom: ["src/page.ts"],
  "robots-parser": ["src/web/robots*.ts"],
  tldts: ["src/web/registrable_domain.ts"],
  "tough-cookie": ["src/cookies.ts"],
  undici: ["src/transport/undici*.ts"],
  vitest: ["src/testing/**"],
  warcio: ["src/output/warc*.ts"],
};

/** What needs more than web standards: only these may import `node:` modules, and `mod.ts` reaches none of them. */
const NOT_PORTABLE: readonly string[] = [
  "src/cli/**",
  "src/frontier/redis*.ts",
  "src/frontier/sqlite*.ts",
  "src/output/files*.ts",
  "src/output/warc*.ts",
  "src/server/**",
  "src/testing/**",
  "src/transport/undici*.ts",
];

/** The text of each source file by its path from the root of the repository, with forward slashes. */
export type SourceFiles = ReadonlyMap<string, string>;

/** Whether a path is meant by one of the patterns of the lists above. */
function isAmong(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => patternRegExp(pattern).test(path));
}

function patternRegExp(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\*+/g, (stars) => (stars.length > 1 ? ".*" : "[^/]*"))}$`);
}

/** Every breach of the lists above, one sentence each; none for a sound tree. */
export function findBreaches(files: SourceFiles): string[] {
  const graph = readGraph(files);
  return [
    ...[...graph].flatMap(([path, imports]) => breachesOfFile(path, imports, files)),
    ...findCycles(graph),
    ...findUnportable(graph),
  ];
}

type Graph = ReadonlyMap<string, readonly ResolvedImport[]>;

interface ResolvedImport extends Import {
  /** The imported file's path; none for a package and for a module of the runtime. */
  readonly path?: string;
}

function readGraph(files: SourceFiles): Graph {
  return new Map(
    [...files].map(([path, text]) => [path, readImports(path, text).map((found) => resolve(path, found))]),
  );
}

function resolve(importer: string, found: Import): ResolvedImport {
  if (!found.specifier.startsWith(".")) return found;
  return { ...found, path: posix.join(posix.dirname(importer), found.specifier) };
}

function breachesOfFile(path: string, imports: readonly ResolvedImport[], files: SourceFiles): string[] {
  const layer = layerOf(path);
  if (layer === -1) return [`${path} stands in no layer: give it a line in LAYERS`];
  return imports.flatMap((found) => {
    const breach = found.path
      ? breachOfLayer(layer, found.path, files)
      : breachOfOwner(path, found.specifier);
    return breach ? [`${path} imports ${found.path ?? found.specifier}, ${breach}`] : [];
  });
}

function layerOf(path: string): number {
  return LAYERS.findIndex((patterns) => isAmong(path, patterns));
}

function breachOfLayer(layer: number, imported: string, files: SourceFiles): string | undefined {
  if (!files.has(imported)) return "which is not there";
  return layerOf(imported) > layer ? "which stands below it" : undefined;
}

function breachOfOwner(path: string, specifier: string): string | undefined {
  if (specifier.startsWith("node:")) {
    return isAmong(path, NOT_PORTABLE) ? undefined : "which not every runtime has";
  }
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const owners = PACKAGE_OWNERS[name];
  if (!owners) return "a package that nobody owns: give it a line in PACKAGE_OWNERS";
  return isAmong(path, owners) ? undefined : `a package that belongs to ${owners.join(", ")}`;
}

/** Circles of imports that remain at run time, each told once. */
function findCycles(graph: Graph): string[] {
  const cycles: string[] = [];
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) cycles.push(`a circle of imports: ${[...trail.slice(start), path].join(" > ")}`);
    if (start !== -1 || finished.has(path)) return;
    for (const next of runtimeImports(graph, path)) visit(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}

/** What `mod.ts` reaches and a worker could not run. */
function findUnportable(graph: Graph): string[] {
  const reached = new Set<string>(graph.has("mod.ts") ? ["mod.ts"] : []);
  for (const path of reached) {
    for (const next of runtimeImports(graph, path)) reached.add(next);
  }
  return [...reached]
    .filter((path) => isAmong(path, NOT_PORTABLE))
    .map((path) => `mod.ts reaches ${path}, which is not portable`);
}

function runtimeImports(graph: Graph, path: string): string[] {
  return (graph.get(path) ?? []).flatMap((found) => (found.path && !found.typeOnly ? [found.path] : []));
}
