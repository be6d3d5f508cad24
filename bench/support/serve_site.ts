// The server's process: serves the site that its argument describes, prints where, and ends with its standard input.
import type { AddressInfo } from "node:net";
import process from "node:process";
import { issueCertificate } from "../../test/support/certificate.ts";
import { folderPages } from "./folder_pages.ts";
import { createPageServer } from "./page_server.ts";
import type { Site } from "./site.ts";
import { syntheticPages } from "./synthetic_pages.ts";

const { pages, https = false } = JSON.parse(process.argv[2]!) as Site;
const made =
  "count" in pages ? syntheticPages(pages.count, pages.bytesEach) : folderPages(pages.root, pages.folder);
const certificate = https ? await issueCertificate() : undefined;
const server = createPageServer(made, certificate);
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  const origin = `${https ? "https" : "http"}://127.0.0.1:${port}`;
  process.stdout.write(`${JSON.stringify({ origin, cert: certificate?.cert })}\n`);
});
process.stdin.on("end", () => process.exit(0));
process.stdin.resume();
