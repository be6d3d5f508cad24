// Checks the types of every ```ts snippet in the documents and in the comments of the source.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import ts from "typescript";
import { parseSource } from "./imports.ts";
import { filesBelow, ROOT } from "./source_files.ts";

const FOLDER = ".check/snippets";

/** One fenced piece of code. */
interface Snippet {
  readonly path: string;
  /** Where its first line of code stands, counted from 1. */
  readonly line: number;
  readonly code: string;
}

/** The snippets of a Markdown text, or of the documentation comments of a source. */
function snippetsOf(path: string): Snippet[] {
  const snippets: Snippet[] = [];
  let open: { line: number; code: string[] } | undefined;
  for (const [index, raw] of readFileSync(join(ROOT, path), "utf8").split("\n").entries()) {
    const line = path.endsWith(".md") ? raw : raw.replace(/^ *\* ?/, "");
    const fence = /^ *```(\w*)/.exec(line);
    if (fence && open) {
      snippets.push({ path, line: open.line, code: open.code.join("\n") });
      open = undefined;
    } else if (fence) {
      if (/^(ts|typescript)$/.test(fence[1] ?? "")) open = { line: index + 2, code: [] };
    } else open?.code.push(line);
  }
  return snippets;
}

/** An example in a source may use what the source exports without importing it, as its reader would. */
function importsFor({ path, code }: Snippet): string {
  if (path.endsWith(".md")) return "";
  const source = parseSource(path, readFileSync(join(ROOT, path), "utf8"));
  const used = source.statements.flatMap(exportedNames).filter(({ name }) => isUsed(name, code));
  // An overloaded function is declared several times.
  const names = [...new Set(used.map(({ name, isType }) => (isType ? `type ${name}` : name)))];
  return names.length > 0 ? `import { ${names.join(", ")} } from "../../${path}"; ` : "";
}

function isUsed(name: string, code: string): boolean {
  return (
    new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`import [^;]*\\b${name}\\b[^;]* from`).test(code)
  );
}

function exportedNames(statement: ts.Statement): { name: string; isType: boolean }[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => ({
      name: name.getText(),
      isType: false,
    }));
  }
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  const isValue = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return (isType || isValue) && statement.name ? [{ name: statement.name.text, isType }] : [];
}

/** As the package's users name its modules: `dragline` and `dragline/...`. */
function modulePaths(): Record<string, string[]> {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8")) as {
    exports: Record<string, string>;
  };
  return Object.fromEntries(
    Object.entries(exports).map(([name, path]) => [
      name.replace(/^\./, "dragline"),
      [path.replace(/^\./, "../..")],
    ]),
  );
}

function fileName({ path, line }: Snippet): string {
  return `${path.replaceAll("/", "__")}__${line}.ts`;
}

/** `README.md:17` in place of the snippet's file and the line in it. */
function inPlace(output: string, snippets: readonly Snippet[]): string {
  return output.replace(/^\.check\/snippets\/(\S+?)\((\d+),\d+\)/gm, (all, file: string, line: string) => {
    const snippet = snippets.find((candidate) => fileName(candidate) === file);
    return snippet ? `${snippet.path}:${snippet.line + Number(line) - 1}` : all;
  });
}

const documents = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md"],
  ...[...filesBelow("docs"), ...filesBelow("examples")].filter((path) => path.endsWith(".md")),
];
const sources = ["mod.ts", ...filesBelow("src")];
const snippets = [...documents, ...sources].flatMap(snippetsOf);

rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
mkdirSync(join(ROOT, FOLDER), { recursive: true });
for (const snippet of snippets) {
  writeFileSync(join(ROOT, FOLDER, fileName(snippet)), importsFor(snippet) + snippet.code);
}
const config = {
  extends: "../../tsconfig.json",
  // An example declares what it shows, whether or not it uses it, and has nothing of its own to export.
  compilerOptions: {
    noUnusedLocals: false,
    isolatedDeclarations: false,
    declaration: false,
    paths: modulePaths(),
  },
  include: ["*.ts"],
};
writeFileSync(join(ROOT, FOLDER, "tsconfig.json"), JSON.stringify(config, null, 2));

const { status, stdout } = spawnSync("tsc", ["--pretty", "false", "-p", FOLDER], {
  cwd: ROOT,
  encoding: "utf8",
});
process.stdout.write(inPlace(stdout, snippets));
console.log(`${snippets.length} snippets in ${new Set(snippets.map(({ path }) => path)).size} files`);
process.exitCode = status === 0 && snippets.length > 0 ? 0 : 1;
