import { redis } from "dragline/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";

const clients = [new Redis({ lazyConnect: true }), createClient(), async () => null];
const stores = clients.map((client) => typeof redis(client, { crawlId: "c" }).lease);
console.log(JSON.stringify(stores));
