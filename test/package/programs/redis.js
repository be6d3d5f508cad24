import { redis } from "dragline/redis";

try {
  redis(undefined, { crawlId: "c" });
} catch (error) {
  console.log(JSON.stringify(error.message));
}
