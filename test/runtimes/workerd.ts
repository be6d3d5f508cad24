import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** Workers that listen on loopback. */
export interface RunningWorkers {
  /** Where each listens, by the name of its socket. */
  readonly origins: ReadonlyMap<string, string>;
  stop(): void;
}

/** Starts workerd with a configuration file and waits until so many sockets listen. */
export async function startWorkers(binary: string, config: string, sockets: number): Promise<RunningWorkers> {
  const child = spawn(binary, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  return { origins: await listening(child, sockets), stop: () => child.kill("SIGKILL") };
}

/** Workerd tells on its control channel, a line of JSON each, on which port a socket listens. */
function listening(child: ChildProcess, sockets: number): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    let text = "";
    (child.stdio[3] as Readable).setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const lines = [...text.matchAll(/"event":"listen","socket":"(\w+)","port":(\d+)/g)];
      const origins = lines.map(([, name = "", port]) => [name, `http://127.0.0.1:${port}`] as const);
      if (origins.length === sockets) resolve(new Map(origins));
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Cannot start workerd: it ended with code ${code}`)));
  });
}
