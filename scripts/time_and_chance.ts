import ts from "typescript";
import { parseSource, walk } from "./imports.ts";

/** The only files that read time or chance: the clock, and the one that stands in for it in tests. */
export const CLOCK_FILES: readonly string[] = ["src/clock.ts", "src/testing/fake_clock.ts"];

const GLOBALS: ReadonlySet<string> = new Set([
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "scheduler",
]);
const MEMBERS: ReadonlySet<string> = new Set([
  "AbortSignal.timeout",
  "Date.now",
  "Math.random",
  "crypto.getRandomValues",
  "crypto.randomUUID",
]);
const MODULES: ReadonlySet<string> = new Set([
  "node:timers",
  "node:timers/promises",
  "node:perf_hooks",
  "node:crypto",
]);

/** Where a file reads the time, waits, or draws by chance: the line and what stands there. */
export function findTimeAndChance(path: string, text: string): string[] {
  return findNodes(path, text, (node) => {
    if (ts.isIdentifier(node)) return GLOBALS.has(node.text) && isFreeName(node);
    if (ts.isPropertyAccessExpression(node)) return MEMBERS.has(memberName(node));
    if (ts.isNewExpression(node)) return isNamed(node.expression, "Date") && !node.arguments?.length;
    if (ts.isCallExpression(node)) return isNamed(node.expression, "Date");
    return ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)
      ? MODULES.has(node.moduleSpecifier.text)
      : false;
  });
}

/** Where a test waits for time to pass, replaces the global clock, or keeps the rest from running. */
export function findSleepsAndOnly(path: string, text: string): string[] {
  return findNodes(path, text, (node) => {
    if (ts.isStringLiteral(node)) return node.text === "node:timers/promises" && importsWaits(node);
    if (ts.isPropertyAccessExpression(node)) {
      return ["it", "test", "describe"].some(
        (name) => isNamed(node.expression, name) && node.name.text === "only",
      )
        ? true
        : memberName(node) === "vi.useFakeTimers";
    }
    return ts.isNewExpression(node) && isNamed(node.expression, "Promise") && isSleep(node.arguments?.[0]);
  });
}

function findNodes(path: string, text: string, isFound: (node: ts.Node) => boolean): string[] {
  const source = parseSource(path, text);
  const found: string[] = [];
  walk(source, (node) => {
    if (!isFound(node)) return;
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push(`${path}:${line}: ${node.getText().split("\n", 1)[0]}`);
  });
  return found;
}

// The name of a property, a member or a binding of the same name is no reading of the global.
function isFreeName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent))
    return parent.expression === node || isNamed(parent.expression, "globalThis");
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) return parent.name !== node;
  return !ts.isPropertySignature(parent) && !ts.isMethodDeclaration(parent) && !ts.isMethodSignature(parent);
}

function memberName(node: ts.PropertyAccessExpression): string {
  return node.getText().replace(/^globalThis\./, "");
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

// `setImmediate` alone waits for no time: it only lets pending work go first.
function importsWaits(specifier: ts.StringLiteral): boolean {
  const { parent } = specifier;
  if (!ts.isImportDeclaration(parent) && !ts.isCallExpression(parent)) return false;
  const statement = ts.findAncestor(specifier, ts.isStatement)?.getText() ?? "";
  return !/\{\s*setImmediate\s*\}/.test(statement);
}

/** `(resolve) => setTimeout(resolve, ms)`, but for a wait of zero, which only lets pending work go first. */
function isSleep(executor: ts.Expression | undefined): boolean {
  if (!executor || !ts.isArrowFunction(executor)) return false;
  const resolve = executor.parameters[0]?.name;
  let sleeps = false;
  walk(executor.body, (node) => {
    if (!resolve || !ts.isCallExpression(node) || !isNamed(node.expression, "setTimeout")) return;
    const [wake, ms] = node.arguments;
    if (wake?.getText() === resolve.getText() && ms && ms.getText() !== "0") sleeps = true;
  });
  return sleeps;
}
