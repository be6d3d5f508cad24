import ts from "typescript";

/** One import or re-export of a file, as written. */
export interface Import {
  readonly specifier: string;
  /** Erased by the compiler: `import type`, `export type ... from` and `import("x").Type`. */
  readonly typeOnly: boolean;
}

/** Parses a file, so that comments and strings are never taken for code. */
export function parseSource(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** Calls `visit` on every node below `root`, in the order of the text. */
export function walk(root: ts.Node, visit: (node: ts.Node) => void): void {
  visit(root);
  ts.forEachChild(root, (child) => walk(child, visit));
}

/** The imports of a file, dynamic ones with a fixed name included. */
export function readImports(path: string, text: string): Import[] {
  const imports: Import[] = [];
  walk(parseSource(path, text), (node) => {
    const found = importOf(node);
    if (found) imports.push(found);
  });
  return imports;
}

function importOf(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node))
    return asImport(node.moduleSpecifier, isTypeOnlyClause(node.importClause));
  if (ts.isExportDeclaration(node)) return asImport(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return asImport(node.argument.literal, true);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return asImport(node.arguments[0], false);
  }
  return undefined;
}

function isTypeOnlyClause(clause: ts.ImportClause | undefined): boolean {
  return clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function asImport(specifier: ts.Node | undefined, typeOnly: boolean): Import | undefined {
  return specifier && ts.isStringLiteral(specifier) ? { specifier: specifier.text, typeOnly } : undefined;
}
