import type { Frontier } from "../../src/frontier/frontier.ts";
import type { RedisEval } from "../../src/frontier/redis.ts";

/** A server's clock that stands until it is set. */
export interface ServerClock {
  nowMs: number;
}

/**
 * Runs scripts so that they read the server's time from the clock. They may touch no key outside of their cluster's slot:
 * all must begin with the one that they are told, which has the hash tag in it.
 */
export function withServerClock(evalScript: RedisEval, clock: ServerClock): RedisEval {
  return (script, keys, args) => {
    const seconds = Math.floor(clock.nowMs / 1_000);
    const microseconds = Math.round((clock.nowMs - seconds * 1_000) * 1_000);
    const time = `
      local server, redis = redis, {}
      function redis.call(name, ...)
        if name == 'TIME' then return { '${seconds}', '${microseconds}' } end
        assert(string.sub(..., 1, #KEYS[1]) == KEYS[1], 'a key of another slot')
        return server.call(name, ...)
      end
    `;
    return evalScript(time + script, keys, args);
  };
}

/** A store in which the server's clock shows what each operation's caller says, as it does for stores of one process. */
export function callersTime(frontier: Frontier, clock: ServerClock): Frontier {
  return new Proxy(frontier, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        clock.nowMs = args.at(-1) as number;
        return Reflect.apply(member, target, args);
      };
    },
  });
}
