import type { Page } from "../page.ts";
import type { Failure, Skip } from "../result.ts";
import { printable } from "./printable.ts";

/** A page as one line of standard output: status, depth, URL, title, with a tab between; the title may be empty. */
export function pageLine(page: Page): string {
  return tabbed(String(page.status), String(page.depth), page.url, page.title ?? "");
}

/** A failure as one line of standard error: `failure`, reason, URL, detail. */
export function failureLine({ reason, url, attempts, status, cause }: Failure): string {
  const tried = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const answered = status === undefined ? "" : `, last status ${status}`;
  return tabbed("failure", reason, url, `${tried}${answered}: ${cause.message}`);
}

/** A skip as one line of standard error: `skip`, reason, URL, detail; the detail may be empty. */
export function skipLine({ reason, url, detail }: Skip): string {
  return tabbed("skip", reason, url, detail ?? "");
}

function tabbed(...fields: readonly string[]): string {
  return `${fields.map(printable).join("\t")}\n`;
}
