import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { anyPage, links } from "./hostile_html.ts";
import { Lateness } from "./lateness.ts";
import { PAGE_FAULTS } from "./page_faults.ts";
import { movedRobots, ROBOTS_FAULTS, type RobotsFault } from "./robots_faults.ts";
import { chanceOf, pick, respond, respondHtml, type Scene } from "./scene.ts";
import { SITEMAP_FAULTS } from "./sitemap_faults.ts";
import { type ArrivedRequest, Witness, type WitnessedCrawl } from "./witness.ts";

// A proper host closes an idle connection after a while, and so do these.
const IDLE_MS = 3_000;
const FAULTY_PAGES = 0.45;

/** What a request itself gives to its scene. */
type Asked = Omit<Scene, "crawl" | "hit" | "origins" | "random">;

/** Hosts on loopback that misbehave, each by chance that depends on the seed, the crawl and the target alone. */
export class HostileHosts {
  readonly origins: string[] = [];
  /** How often each misdeed was done. */
  readonly tally: Map<string, number> = new Map();
  readonly #seed: number;
  // An entry goes when its connection closes.
  readonly #sockets = new Set<Socket>();
  readonly #busy = new Set<Socket>();
  readonly #lateness = new Lateness();
  #hits = new Map<string, number>();
  #witness = new Witness({ crawl: 0, gapMs: 0, limit: Number.POSITIVE_INFINITY, obeysRobots: false }, []);

  constructor(seed: number) {
    this.#seed = seed;
  }

  async open(hosts: number): Promise<void> {
    for (let host = 0; host < hosts; host++) {
      const server = createServer((socket) => this.#serve(socket, host));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      this.origins.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
  }

  /** Connections that are open, and those of them on which a request has neither been answered nor been given up. */
  get connections(): { open: number; busy: number } {
    return { open: this.#sockets.size, busy: this.#busy.size };
  }

  /** From now on every request is one of this crawl. */
  begin(crawl: WitnessedCrawl): void {
    this.#hits = new Map();
    this.#lateness.take();
    const robots = this.origins.map((_, host) => this.#robotsOf(crawl.crawl, host));
    this.#witness = new Witness(
      crawl,
      robots.map(([, fault]) => fault),
    );
  }

  /** What the crawl did that it must not have done, in words. */
  end(crawlerLateMs: number): string[] {
    return this.#witness.complaints(crawlerLateMs + this.#lateness.take());
  }

  #robotsOf(crawl: number, host: number): [name: string, fault: RobotsFault] {
    const random = chanceOf(this.#seed, crawl, host, "robots");
    // Half of the hosts are sound in this, or little would be crawled.
    const names = random() < 0.5 ? ["rules", "rules and sitemaps", "404"] : Object.keys(ROBOTS_FAULTS);
    const name = pick(random, names);
    return [name, ROBOTS_FAULTS[name]!];
  }

  #serve(socket: Socket, host: number): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.setTimeout(IDLE_MS, () => !this.#busy.has(socket) && socket.destroy());
    socket.on("error", () => socket.destroy());
    let head = "";
    let hit: ArrivedRequest | undefined;
    let isGarbled = false;
    // All is said, whether or not the other side closes too.
    socket.on("finish", () => {
      this.#busy.delete(socket);
      hit?.answered();
    });
    socket.on("close", () => {
      this.#sockets.delete(socket);
      this.#busy.delete(socket);
      hit?.closed();
    });
    socket.on("data", (bytes) => {
      head += bytes.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      const asked = head;
      head = "";
      const arrived = this.#witness.arrived(host, /^\S+ (\S*)/.exec(asked)?.[1] ?? "");
      hit = arrived;
      this.#busy.add(socket);
      this.#act({
        socket,
        host,
        target: arrived.target,
        hasCookie: /^cookie:/im.test(asked),
        onAnswered: () => {
          this.#busy.delete(socket);
          arrived.answered();
        },
        onPause: (ms) => !isGarbled && arrived.pause(ms),
        onGarbled: () => {
          isGarbled = true;
        },
      });
    });
  }

  #act(asked: Asked): void {
    const { host, target } = asked;
    const { crawl } = this.#witness.crawl;
    const key = `${host} ${target}`;
    const hit = (this.#hits.get(key) ?? 0) + 1;
    this.#hits.set(key, hit);
    const random = chanceOf(this.#seed, crawl, key);
    const scene: Scene = { ...asked, crawl, hit, origins: this.origins, random };
    const [name, act] = this.#choose(scene);
    this.tally.set(name, (this.tally.get(name) ?? 0) + 1);
    act(scene);
  }

  #choose(scene: Scene): [name: string, act: (scene: Scene) => void] {
    const { target, crawl, host, random } = scene;
    if (target === "/robots.txt") {
      const [name, fault] = this.#robotsOf(crawl, host);
      return [`robots.txt: ${name}`, fault.act];
    }
    if (target === "/moved/robots.txt") return ["robots.txt: moved", movedRobots];
    if (/sitemap/.test(target)) return chosen("sitemap", random, SITEMAP_FAULTS);
    const trap = /\/(trap|calendar)\//.exec(target)?.[1];
    if (trap === "trap") return ["trap: ever deeper", trapPage];
    if (trap === "calendar") return ["trap: calendar", calendarPage];
    if (random() > FAULTY_PAGES)
      return ["page: proper", (each) => respondHtml(each, `<title>Page</title>${links(each)}`)];
    return chosen("page", random, PAGE_FAULTS);
  }
}

function chosen<T>(
  kind: string,
  random: () => number,
  among: Readonly<Record<string, T>>,
): [name: string, act: T] {
  const name = pick(random, Object.keys(among));
  return [`${kind}: ${name}`, among[name]!];
}

/** A link without its scheme, on every page. */
function trapPage(scene: Scene): void {
  respondHtml(scene, `<a href="www.partner.test/">partner</a><a href="${anyPage(scene)}">x</a>`);
}

function calendarPage(scene: Scene): void {
  const [, year, month] = /(\d+)\/(\d+)$/.exec(scene.target) ?? [];
  if (year === undefined || month === undefined) {
    respond(scene, 404, {});
    return;
  }
  const at = Number(year) * 12 + Number(month) - 1;
  const near = [at - 1, at + 1].map((n) => `${Math.floor(n / 12)}/${String((n % 12) + 1).padStart(2, "0")}`);
  respondHtml(scene, near.map((when) => `<a href="/c${scene.crawl}/calendar/${when}">${when}</a>`).join(""));
}
