import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Site } from "./site.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const SERVER = fileURLToPath(new URL("serve_site.ts", import.meta.url));

export interface SiteProcess {
  readonly origin: string;
  /** From which every page is reached. */
  readonly startUrl: string;
  /** Where an HTTPS site's certificate is, to be trusted; it signs itself. */
  readonly certificateFile?: string;
  close(): Promise<void>;
}

/** Serves a site from a process of its own, on the machine's own Node whatever runs the benchmark. */
export async function startSite(site: Site): Promise<SiteProcess> {
  const server = spawn("node", ["--import", "tsx", SERVER, JSON.stringify(site)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  const lines = createInterface({ input: server.stdout });
  const line = await Promise.race([once(lines, "line"), exited.then(() => undefined)]);
  if (line === undefined) throw new Error(`Cannot serve '${site.name}' as its server ended`);
  const { origin, cert } = JSON.parse(String(line[0])) as { origin: string; cert?: string };
  const folder = cert === undefined ? undefined : temporaryFolder();
  const certificateFile = folder && join(folder.path, "site.pem");
  if (certificateFile) writeFileSync(certificateFile, cert!);
  return {
    origin,
    startUrl: `${origin}${site.startPath ?? "/"}`,
    ...(certificateFile && { certificateFile }),
    async close() {
      server.stdin.end();
      await exited;
      folder?.remove();
    },
  };
}
