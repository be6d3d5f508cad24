// How a host's pace follows what the host bears: writes a picture of limit, gap, pauses and starts of three hosts.
//
//   npx tsx examples/pace.ts docs/pace.svg
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { SimulatedHost, seededRandom } from "../test/support/simulated_host.ts";
import { drawPaces } from "./support/pace_picture.ts";

const [, , file = "docs/pace.svg"] = process.argv;

const steady = {
  title: "A steady host",
  does: "four places, and a queue for what comes on top",
  server: new SimulatedHost({ places: 4, sigma: 0.2 }, seededRandom(1)),
};
const overloaded = {
  title: "An overloaded host",
  does: "six places, and 503 when they are taken; from 20 s to 30 s only two",
  server: new SimulatedHost(
    { places: (ms) => (ms < 20_000 || ms >= 30_000 ? 6 : 2), sigma: 0.4, whenFull: "shed" },
    seededRandom(2),
  ),
};
const limited = {
  title: "A rate-limited host",
  does: "eight requests a second, and 429 with Retry-After to more",
  server: new SimulatedHost({ sigma: 0.4, rate: { perSecond: 8, retryAfter: true } }, seededRandom(3)),
};

await writeFile(file, drawPaces([steady, overloaded, limited], 8, 120_000));
console.log(`wrote ${file}`);
