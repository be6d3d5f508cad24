/** Marks a file as a store of ours in its header: "Drag" in ASCII. */
export const APPLICATION_ID = 0x44726167;

/** The version of the tables below. */
export const SCHEMA_VERSION = 2;

// What steps did that the tables do not show yet, in order: a request that was queued, with the columns of its table,
// or the order alone of one that has ended.
const REQUEST_LOG = `CREATE TABLE request_log (
    id INTEGER PRIMARY KEY,
    request INTEGER NOT NULL,
    host INTEGER,
    rank REAL,
    not_before_ms REAL,
    tag TEXT,
    rest TEXT
  ) STRICT`;

/** Makes a file of version 1 one of this version. */
export const UPGRADE: readonly string[] = [
  REQUEST_LOG,
  "ALTER TABLE store ADD COLUMN applied INTEGER NOT NULL DEFAULT 0",
];

/**
 * What is in progress and who holds a host is the process's own knowledge, and is not written down: after a crash all
 * that was in progress is simply queued. A request's row goes when the request ends.
 */
export const SCHEMA: readonly string[] = [
  // One row. 'requests' and 'seen' count the rows of the tables, 'sequence' gives requests and hosts their order,
  // 'applied' is the entry of the log up to which 'requests' has it all.
  `CREATE TABLE store (
    requests INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    salt INTEGER NOT NULL,
    seen_as TEXT NOT NULL,
    applied INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  REQUEST_LOG,
  // Keys by their fingerprint of 64 bits, which is the table's own order: no second index, some 12 octets a key.
  "CREATE TABLE seen (print INTEGER PRIMARY KEY) STRICT",
  // 'next_ms' is when the host may be leased: none while it has no work, or somebody holds it.
  `CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    pace TEXT,
    due_ms REAL NOT NULL,
    next_ms REAL,
    placed INTEGER NOT NULL,
    leased INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX hosts_due ON hosts (next_ms, placed) WHERE next_ms IS NOT NULL",
  "CREATE INDEX hosts_leased ON hosts (id) WHERE leased = 1",
  // 'id' is the request's order; 'rank' minus its priority, so that the first are the lowest in both; 'rest' all of it
  // that has no column, as JSON. 'not_before_ms' goes once it is past.
  `CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    host INTEGER NOT NULL,
    rank REAL NOT NULL,
    not_before_ms REAL,
    tag TEXT,
    rest TEXT NOT NULL
  ) STRICT`,
  "CREATE INDEX requests_ready ON requests (host, rank, id) WHERE not_before_ms IS NULL",
  "CREATE INDEX requests_deferred ON requests (host, not_before_ms) WHERE not_before_ms IS NOT NULL",
  "CREATE INDEX requests_tagged ON requests (tag) WHERE tag IS NOT NULL",
  // A Bloom filter is written whole now and then; meanwhile what it took in is here.
  "CREATE TABLE bloom_log (id INTEGER PRIMARY KEY, key TEXT NOT NULL, precious INTEGER NOT NULL) STRICT",
  // Longer values by name: the filter, what the crawl keeps beside its queue, and how many found no room.
  "CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
];
