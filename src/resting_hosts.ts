import { type Host, type HostPace, newHost, type PaceRules } from "./politeness/host.ts";

const FEW = 2_000;

/**
 * The paces of hosts that were given back before they could be asked again: an errand may lead to one, and must not
 * come too early for being the only thing to do there.
 */
export class RestingHosts {
  // An entry leaves when its host is taken in hand; past its time it leaves when there are many.
  readonly #paces = new Map<string, { readonly pace: HostPace; readonly readyMs: number }>();
  #most = FEW;

  keep(host: string, pace: HostPace, readyMs: number, nowMs: number): void {
    if (readyMs <= nowMs) return;
    this.#paces.set(host, { pace, readyMs });
    if (this.#paces.size <= this.#most) return;
    for (const [name, { readyMs }] of this.#paces) if (readyMs <= nowMs) this.#paces.delete(name);
    this.#most = Math.max(FEW, 2 * this.#paces.size);
  }

  /** The pace of a host that is taken in hand now. */
  take(host: string): HostPace | undefined {
    const pace = this.#paces.get(host)?.pace;
    this.#paces.delete(host);
    return pace;
  }
}

/** Gives a host that only an errand had led to the pace that is known of it, and keeps what the errand has added. */
export function resumePace(host: Host, rules: PaceRules, pace: HostPace): void {
  const { inFlight, lastStartMs, pausedUntilMs } = host;
  Object.assign(host, newHost(host.name, rules, pace), { inFlight });
  host.lastStartMs = Math.max(host.lastStartMs, lastStartMs);
  host.pausedUntilMs = Math.max(host.pausedUntilMs, pausedUntilMs);
}

/** Of two paces of one host, the one that knows of the later start. */
export function newerPace(a: HostPace | undefined, b: HostPace | undefined): HostPace | undefined {
  return (b?.lastStartMs ?? 0) > (a?.lastStartMs ?? 0) ? b : (a ?? b);
}
