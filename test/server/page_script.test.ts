import ts from "typescript";
import { describe, expect, it } from "vitest";
import { PAGE_SCRIPT } from "../../src/server/page.ts";

/** What the compiler says of the page's script, with the types in its comments. */
function faultsOfScript(): string[] {
  const name = "/page.js";
  const options: ts.CompilerOptions = {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    noUnusedLocals: false,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => path === name || fileExists.call(host, path);
  host.readFile = (path) => (path === name ? PAGE_SCRIPT : readFile.call(host, path));
  host.getSourceFile = (path, version, ...rest) =>
    path === name
      ? ts.createSourceFile(path, PAGE_SCRIPT, version, true)
      : getSourceFile.call(host, path, version, ...rest);
  const program = ts.createProgram([name], options, host);
  const script = program.getSourceFile(name);
  const faults = [...program.getSyntacticDiagnostics(script), ...program.getSemanticDiagnostics(script)];
  return faults.map(({ messageText, file, start = 0 }) => {
    const line = file ? file.text.slice(0, start).split("\n").length : 0;
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")} (${PAGE_SCRIPT.split("\n")[line - 1]?.trim()})`;
  });
}

describe("PAGE_SCRIPT", () => {
  it("is without faults of types", () => expect(faultsOfScript()).toEqual([]));
});
