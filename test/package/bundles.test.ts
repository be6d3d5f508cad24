import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { runtimeBinary } from "../../scripts/runtimes.ts";
import { type RunningWorkers, startWorkers } from "../runtimes/workerd.ts";
import { BUNDLERS } from "./bundlers.ts";

const project = inject("plainProject");
const names = Object.keys(BUNDLERS) as (keyof typeof BUNDLERS)[];

let workers: RunningWorkers | undefined;
beforeAll(async () => {
  for (const name of names) await BUNDLERS[name](project, "worker/entry.js", `worker/${name}.js`);
  const binary = runtimeBinary("workerd");
  if (binary === undefined) throw new Error("Cannot run bundles as workerd is not made for this platform");
  const config = join(project, "worker/config.capnp");
  writeFileSync(config, configuration());
  workers = await startWorkers(binary, config, names.length);
});
afterAll(() => workers?.stop());

/** A worker for each bundle, without compatibility with Node and without a network. */
function configuration(): string {
  const services = names.map((name) => `(name = "${name}", worker = .${name}),`).join(" ");
  const sockets = names.map(
    (name) => `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}"),`,
  );
  const constants = names.map(
    (name) =>
      `const ${name} :Workerd.Worker = (modules = [(name = "${name}.js", esModule = embed "${name}.js")], compatibilityDate = "2024-09-02");`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [${services}], sockets = [${sockets.join(" ")}]);
${constants.join("\n")}
`;
}

describe.each(names)("the bundle that %s makes for a worker", (name) => {
  const text = (): string => readFileSync(join(project, `worker/${name}.js`), "utf8");

  it("imports nothing any more, least of all of Node", () => {
    const specifiers = [...text().matchAll(/^(?:import|export)\b[^;\n]*?["']([^"'\n]+)["'];?$/gm)];
    expect(specifiers.map(([line]) => line)).toEqual([]);
    expect(text()).not.toMatch(/(from|import\(|require\() ?["']node:/);
  });

  it("crawls in workerd", async () => {
    const response = await fetch(workers!.origins.get(name)!);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([
      ["https://a.test/", "Home", "Home"],
      ["https://a.test/a", "A", "A"],
    ]);
  });
});
