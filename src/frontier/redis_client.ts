/**
 * Runs a Lua script: `EVAL script numkeys key... arg...`. All that a store in Redis needs of a client, so that one that
 * speaks HTTP serves too. It gives the script's reply as it comes: strings, numbers and arrays of them.
 */
export type RedisEval = (script: string, keys: string[], args: string[]) => Promise<unknown>;

/** What is used of a client of the package `ioredis`, a `Redis` or a `Cluster`. */
export interface IoRedisClient {
  evalsha(sha: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>;
}

/** What is used of a connected client of the package `redis`: of `createClient()`, `createCluster()` and pools. */
export interface NodeRedisClient {
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A client of Redis or Valkey, told apart by its shape. */
export type RedisClient = RedisEval | IoRedisClient | NodeRedisClient;

/**
 * How scripts are run with a client: by their digests where it can, which saves sending a script each time.
 *
 * @throws {TypeError} where the client has none of the shapes
 */
export function evalOf(client: RedisClient): RedisEval {
  if (typeof client === "function") return client;
  const shape = client as Partial<IoRedisClient & NodeRedisClient> | null;
  if (typeof shape?.evalSha === "function") {
    const { evalSha, eval: evalText } = client as NodeRedisClient;
    return byDigest(
      (sha, keys, args) => evalSha.call(client, sha, { keys, arguments: args }),
      (script, keys, args) => evalText.call(client, script, { keys, arguments: args }),
    );
  }
  if (typeof shape?.evalsha === "function") {
    const { evalsha, eval: evalText } = client as IoRedisClient;
    return byDigest(
      (sha, keys, args) => evalsha.call(client, sha, keys.length, ...keys, ...args),
      (script, keys, args) => evalText.call(client, script, keys.length, ...keys, ...args),
    );
  }
  throw new TypeError(
    "Cannot keep a crawl in Redis as 'client' must be a client of the package redis or ioredis " +
      `(npm install redis), or a function that runs a script: received ${client === null ? "null" : typeof client}`,
  );
}

/** A server that does not know a script, or no longer, says NOSCRIPT: it learns it from the text. */
function byDigest(evalDigest: RedisEval, evalText: RedisEval): RedisEval {
  // One entry for each script that there is.
  const digests = new Map<string, string>();
  return async (script, keys, args) => {
    const digest = digests.get(script) ?? (await sha1(script));
    digests.set(script, digest);
    try {
      return await evalDigest(digest, keys, args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return evalText(script, keys, args);
    }
  };
}

async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (octet) => octet.toString(16).padStart(2, "0")).join("");
}
