import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { ROOT } from "../../scripts/source_files.ts";
import { commandOf, run } from "./runtime_commands.ts";

const TSC = join(ROOT, "node_modules/typescript/bin/tsc");

/** How a project finds its modules. */
const RESOLUTIONS: Readonly<Record<string, { module: string; moduleResolution: string }>> = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

/** Compiles a file of a project as strictly as can be, the declarations of packages too; gives the complaints. */
async function complaintsAbout(
  project: string,
  file: string,
  resolution: string,
  types: readonly string[],
): Promise<string> {
  const config = `tsconfig.${file.replace(/\W/g, "_")}.${resolution}.json`;
  const compilerOptions = {
    ...RESOLUTIONS[resolution],
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    types,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(project, config), JSON.stringify({ compilerOptions, files: [file] }));
  const { stdout, stderr } = await run(commandOf("node", TSC, "-p", config), project);
  return stdout + stderr;
}

describe.each(Object.keys(RESOLUTIONS))("the types, resolved as %s, skipLibCheck off,", (resolution) => {
  it("serve the core with neither a peer nor the types of Node", async () => {
    expect(await complaintsAbout(inject("plainProject"), "typed/core.ts", resolution, [])).toBe("");
  });

  it("serve every other module with its peers", async () => {
    expect(await complaintsAbout(inject("fullProject"), "typed/modules.ts", resolution, ["node"])).toBe("");
  });
});

describe("the types", () => {
  it("complain of what is wrong", async () => {
    const complaints = await complaintsAbout(inject("plainProject"), "typed/wrong.ts", "nodenext", []);
    expect(complaints.match(/error TS\d+/g)).toHaveLength(3);
  });
});
