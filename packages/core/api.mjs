// The public interface of @stemma/core as text, from the compiled declarations: npm run api writes it to api.md, a test
// compares. Left out are names that an entry exports in a statement marked with @internal (for the other packages of
// this repository), members that are, and all members of types marked with @opaque, which are only passed on.
// TypeScript 7 has no interface for programs yet, so the declarations are read with the TypeScript inside
// @ts-morph/common.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ts } from "@ts-morph/common";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const { name: PACKAGE, exports: EXPORTS } = JSON.parse(readFileSync(`${FOLDER}package.json`, "utf8"));

/** Most people begin with these; they have an example. */
const MAIN = [
  ...["load", "Pipeline", "Sentence", "Document", "readTreebank", "TreebankReader", "match", "TreeEditor", "toSVG"],
  ...["evaluate", "createSystem", "dynamicOracle"],
];

/**
 * Reads the declarations in dist: the report, the types that are used and exported nowhere, the names without a
 * sentence, the main names without an example, and the examples.
 */
export function readInterface() {
  /** @type {[string, string][]} each entry with its declarations */
  const files = Object.entries(EXPORTS).flatMap(([entry, to]) =>
    to.import ? [[`${PACKAGE}${entry.slice(1)}`, join(FOLDER, to.import.types)]] : [],
  );
  const program = ts.createProgram(
    files.map(([, file]) => file),
    { target: ts.ScriptTarget.ES2022, lib: ["lib.es2022.d.ts"], types: [] },
  );
  const checker = program.getTypeChecker();
  /** @type {Map<string, ts.Symbol[]>} */
  const entries = new Map();
  /** @type {Set<string>} names that an entry exports in a statement marked with @internal */
  const internal = new Set();
  for (const [entry, file] of files) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file}: no such module (npm run build makes it)`);
    const symbols = [];
    for (const symbol of checker.getExportsOfModule(module)) {
      if (declarationsOf(symbol).some(isInternal)) internal.add(symbol.name);
      else symbols.push(resolved(symbol));
    }
    entries.set(entry, symbols.sort(byName));
  }
  const exported = new Set([...entries.values()].flat());
  /** @type {Set<string>} */
  const unexported = new Set();
  /** @type {string[]} */
  const undocumented = [];
  /** @type {Map<string, string>} */
  const examples = new Map();
  for (const symbol of exported) {
    const example = symbol.getJsDocTags().find(({ name }) => name === "example");
    const code = /```ts\n([\s\S]*)```/.exec(ts.displayPartsToString(example?.text))?.[1];
    if (code !== undefined) examples.set(symbol.name, code);
    if (ts.displayPartsToString(symbol.getDocumentationComment(checker)) === "") undocumented.push(symbol.name);
    for (const declaration of declarationsOf(symbol)) visit(declaration, symbol.name);
  }
  return {
    report: reportOf(entries),
    unexported: [...unexported].sort(),
    undocumented: undocumented.sort(),
    missing: MAIN.filter((name) => !examples.has(name)),
    examples,
    internal: [...internal].filter((name) => ![...exported].some((symbol) => symbol.name === name)).sort(),
  };

  /** @param {ts.Symbol} symbol */
  function resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  /**
   * Finds the types that a declaration names.
   * @param {ts.Node} node
   * @param {string} user
   */
  function visit(node, user) {
    if (isHidden(node)) return;
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : ts.isTypeQueryNode(node)
          ? node.exprName
          : undefined;
    const found = name && checker.getSymbolAtLocation(name);
    const symbol = found && resolved(found);
    if (symbol && !(symbol.flags & ts.SymbolFlags.TypeParameter) && !exported.has(symbol)) {
      const file = declarationsOf(symbol)[0]?.getSourceFile().fileName;
      if (file?.startsWith(FOLDER)) unexported.add(`${symbol.name} of ${file.slice(FOLDER.length)}, used by ${user}`);
    }
    ts.forEachChild(node, (child) => visit(child, user));
  }
}

/** @param {ts.Symbol} symbol */
function declarationsOf(symbol) {
  return symbol.declarations ?? [];
}

/** @param {ts.Symbol} a @param {ts.Symbol} b */
function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}

/** Whether a declaration, or the statement that exports it, is marked with @internal. @param {ts.Node} node */
function isInternal(node) {
  return hasTag(ts.isExportSpecifier(node) ? node.parent.parent : node, "internal");
}

/** @param {ts.Node} node @param {string} tag */
function hasTag(node, tag) {
  return ts.getJSDocTags(node).some(({ tagName }) => tagName.text === tag);
}

/** Private and internal members, and what opaque types have, are no part of the interface. @param {ts.Node} node */
function isHidden(node) {
  if (ts.isClassElement(node) || ts.isTypeElement(node) || ts.isHeritageClause(node))
    if (isInternal(node) || hasTag(node.parent, "opaque")) return true;
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  if (modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.PrivateKeyword)) return true;
  return ts.isPropertyDeclaration(node) && ts.isPrivateIdentifier(node.name);
}

/** @param {Map<string, ts.Symbol[]>} entries */
function reportOf(entries) {
  const lines = [
    "# The interface of @stemma/core",
    "",
    "Written by `npm run api`; a test compares it with what is compiled.",
  ];
  /** @type {Map<ts.Symbol, string>} */
  const homes = new Map();
  for (const [name, symbols] of entries) {
    const known = symbols.filter((symbol) => homes.has(symbol));
    lines.push("", `## ${name}`, "");
    if (known.length > 0) {
      lines.push(`Also in ${[...new Set(known.map((symbol) => homes.get(symbol)))].join(", ")}: `, "");
      lines.push(`${known.map((symbol) => `\`${symbol.name}\``).join(", ")}.`, "");
    }
    lines.push("```ts");
    for (const symbol of symbols) {
      if (homes.has(symbol)) continue;
      homes.set(symbol, name);
      for (const declaration of declarationsOf(symbol)) lines.push(...textOf(declaration).split("\n"));
    }
    lines.push("```");
  }
  return `${lines.join("\n").replace(/: \n\n`/g, ":\n\n`")}\n`;
}

const printer = ts.createPrinter({ removeComments: true });

/** A declaration without comments and without what is private. @param {ts.Declaration} declaration */
function textOf(declaration) {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const visible = ts.transform(/** @type {ts.Node} */ (statement), [
    (context) => {
      /** @type {(node: ts.Node) => ts.Node | undefined} */
      const visit = (node) => (isHidden(node) ? undefined : ts.visitEachChild(node, visit, context));
      return (node) => ts.visitEachChild(node, visit, context);
    },
  ]).transformed[0];
  const text = printer.printNode(ts.EmitHint.Unspecified, /** @type {ts.Node} */ (visible), statement.getSourceFile());
  return text.replace(/^export (declare )?/, "");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { report, unexported, undocumented, missing } = readInterface();
  writeFileSync(`${FOLDER}api.md`, report);
  for (const name of unexported) console.error(`not exported: ${name}`);
  for (const name of undocumented) console.error(`no sentence of documentation: ${name}`);
  for (const name of missing) console.error(`no example: ${name}`);
  process.exitCode = unexported.length + undocumented.length + missing.length > 0 ? 1 : 0;
}
