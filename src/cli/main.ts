#!/usr/bin/env node
import process from "node:process";
import { systemClock } from "../clock.ts";
import { streamOutput } from "./output.ts";
import { run } from "./run.ts";

// The exit code is set and not forced: what was written is still on its way when the crawl is over.
process.exitCode = await run(process.argv.slice(2), {
  out: streamOutput(process.stdout, process.env),
  err: streamOutput(process.stderr, process.env),
  clock: systemClock,
  variables: process.env,
  async readInput() {
    process.stdin.setEncoding("utf8");
    let text = "";
    for await (const chunk of process.stdin) text += chunk;
    return text;
  },
  onInterrupt(listener) {
    // A service manager's way of saying the same.
    const signals = ["SIGINT", "SIGTERM"] as const;
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
});
