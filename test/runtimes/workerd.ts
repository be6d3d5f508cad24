import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** A worker that listens on loopback. */
export interface RunningWorker {
  readonly origin: string;
  stop(): void;
}

/** Starts workerd with a configuration file and waits until it listens. */
export async function startWorker(binary: string, config: string): Promise<RunningWorker> {
  const child = spawn(binary, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const port = await listeningPort(child);
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.kill("SIGKILL") };
}

/** Workerd tells on its control channel, a line of JSON each, on which port a socket listens. */
function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    (child.stdio[3] as Readable).setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const port = /"event":"listen".*"port":(\d+)/.exec(text)?.[1];
      if (port) resolve(Number(port));
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Cannot start workerd: it ended with code ${code}`)));
  });
}
