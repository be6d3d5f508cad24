#!/usr/bin/env node
import process from "node:process";
import { systemClock } from "../clock.ts";
import { streamOutput } from "./output.ts";
import { run } from "./run.ts";

// The exit code is set and not forced: what was written is still on its way when the crawl is over.
process.exitCode = await run(process.argv.slice(2), {
  out: streamOutput(process.stdout),
  err: streamOutput(process.stderr),
  clock: systemClock,
  onInterrupt(listener) {
    process.on("SIGINT", listener);
    return () => process.off("SIGINT", listener);
  },
});
