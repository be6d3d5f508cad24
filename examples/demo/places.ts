import { HOSTS, type HostName, type Origins } from "./site.ts";

/** A URL as the demo speaks of it: the host by its name, the rest as it is. */
export interface Place {
  readonly host: HostName | "elsewhere";
  readonly path: string;
}

/** The names of the demo's hosts for what a crawl says in URLs and authorities. */
export class Places {
  /** In the order in which they are presented; the authority is what events and stats bear. */
  readonly hosts: readonly { readonly name: HostName; readonly authority: string }[];
  readonly #names: ReadonlyMap<string, HostName>;

  constructor(origins: Origins) {
    const names = Object.keys(HOSTS) as HostName[];
    this.hosts = names.map((name) => ({ name, authority: new URL(origins[name]).host }));
    this.#names = new Map(this.hosts.map(({ name, authority }) => [authority, name]));
  }

  /** Where a URL is; an outside one is `elsewhere`, with all of it as its path. */
  of(url: string): Place {
    const { host, pathname } = new URL(url);
    const name = this.#names.get(host);
    return name ? { host: name, path: pathname } : { host: "elsewhere", path: url };
  }

  /** The name of a host, by its authority. */
  hostName(authority: string): Place["host"] {
    return this.#names.get(authority) ?? "elsewhere";
  }
}
