// The public interface of @stemma/core as text, from the compiled declarations: npm run api writes it to api.md and a
// list of the names to docs/names.md, tests compare; the site has it as its reference. Left out are names that an entry exports in a statement marked with @internal (for the other packages of
// this repository), members that are, and all members of types marked with @opaque, which are only passed on.
// A type that only occurs as a part of others has no name to import and is shown below the names of the entry.
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
  ...["evaluate", "createSystem", "dynamicOracle", "train", "openPool"],
];

/**
 * Reads the declarations in dist: the report, the names by entry, the types of signatures that are not exported where
 * the function is, the names without a sentence, the main names without an example, and the examples.
 */
export function readInterface() {
  /** @type {[string, string][]} each entry with its declarations */
  const files = Object.entries(EXPORTS).flatMap(([entry, to]) =>
    to.import ? [[`${PACKAGE}${entry.slice(1)}`, join(FOLDER, to.import.default.replace(/js$/, "d.ts"))]] : [],
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
  /** @type {Set<string>} "entry name" where the name is exported as a type only */
  const types = new Set();
  for (const [entry, file] of files) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file}: no such module (npm run build makes it)`);
    const symbols = [];
    for (const symbol of checker.getExportsOfModule(module)) {
      if (declarationsOf(symbol).some(isInternal)) internal.add(symbol.name);
      else {
        symbols.push(resolved(symbol));
        if (isTypeOnly(symbol)) types.add(`${entry} ${symbol.name}`);
      }
    }
    entries.set(entry, symbols.sort(byName));
  }
  const exported = new Set([...entries.values()].flat());
  /** @type {Map<ts.Symbol, string>} the entry that a name is learned from */
  const homes = homesOf(entries, types);
  /** @type {Map<string, Set<ts.Symbol>>} types without a name to import, by the first entry that has them as parts */
  const parts = new Map([...entries.keys()].map((entry) => [entry, new Set()]));
  const isPart = new Set();
  /** @type {Set<string>} */
  const unexported = new Set();
  for (const [symbol, entry] of homes)
    for (const declaration of declarationsOf(symbol)) visit(declaration, symbol, entry, false);

  /** @type {string[]} */
  const undocumented = [];
  /** @type {Map<string, string>} */
  const examples = new Map();
  for (const symbol of [...exported, ...isPart]) {
    const { doc, example } = described(symbol);
    if (example !== undefined) examples.set(symbol.name, example);
    if (doc === "") undocumented.push(symbol.name);
  }
  const reference = [...entries].map(([entry, symbols]) => ({
    entry,
    doc: docOf(program.getSourceFile(new Map(files).get(entry) ?? "")),
    names: symbols.filter((symbol) => homes.get(symbol) === entry).map(described),
    also: symbols.flatMap((symbol) => {
      const home = homes.get(symbol);
      return home === undefined || home === entry ? [] : [{ name: symbol.name, home }];
    }),
    parts: [...(parts.get(entry) ?? [])].sort(byName).map(described),
  }));
  /** @type {Map<string, string[]>} */
  const names = new Map([...entries.keys()].map((entry) => [entry, []]));
  for (const [symbol, entry] of homes) names.get(entry)?.push(symbol.name);
  return {
    report: reportOf(entries, homes, parts),
    page: pageOf(reference),
    reference,
    names,
    withoutParam: withoutParam(homes.keys()),
    membersWithout: membersWithout(homes),
    unexported: [...unexported].sort(),
    undocumented: undocumented.sort(),
    missing: MAIN.filter((name) => !examples.has(name)),
    examples,
    internal: [...internal].filter((name) => ![...exported].some((symbol) => symbol.name === name)).sort(),
  };

  /** @param {ts.Symbol} symbol */
  function described(symbol) {
    const tags = symbol.getJsDocTags(checker);
    const textOfTag = (/** @type {ts.JSDocTagInfo | undefined} */ tag) => ts.displayPartsToString(tag?.text);
    const example = textOfTag(tags.find(({ name }) => name === "example"));
    return {
      name: symbol.name,
      kind: kindOf(symbol),
      doc: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      parameters: tags.flatMap((tag) => (tag.name === "param" ? [textOfTag(tag)] : [])),
      example: /```ts\n([\s\S]*)```/.exec(example)?.[1],
      declaration: declarationsOf(symbol)
        .map((declaration) => textOf(declaration, true))
        .join("\n"),
    };
  }

  /** @param {ts.Symbol} symbol */
  function resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  /**
   * Finds the types that a declaration names. What is passed to a function or comes from it has to be exported where
   * the function is; other types are parts of what has a name, as `Plot["x"]`.
   * @param {ts.Node} node
   * @param {ts.Symbol} user
   * @param {string} entry
   * @param {boolean} isSignature whether the node is in the signature of a function, method or constructor
   */
  function visit(node, user, entry, isSignature) {
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
    const file = symbol && declarationsOf(symbol)[0]?.getSourceFile().fileName;
    if (symbol && !(symbol.flags & ts.SymbolFlags.TypeParameter) && file?.startsWith(FOLDER)) {
      if (isSignature && !isPart.has(user) && !entries.get(entry)?.includes(symbol))
        unexported.add(`${entry}: ${symbol.name} of ${file.slice(FOLDER.length)}, used by ${user.name}`);
      if (!exported.has(symbol) && !isPart.has(symbol)) {
        isPart.add(symbol);
        parts.get(entry)?.add(symbol);
        for (const declaration of declarationsOf(symbol)) visit(declaration, symbol, entry, false);
      }
    }
    const within = isSignature || (ts.isFunctionLike(node) && !ts.isAccessor(node));
    ts.forEachChild(node, (child) => visit(child, user, entry, within));
  }
}

/**
 * A name is learned from the first entry that has it, of those where it is more than a type if there are any.
 * @param {Map<string, ts.Symbol[]>} entries
 * @param {Set<string>} types
 */
function homesOf(entries, types) {
  /** @type {Map<ts.Symbol, string>} */
  const homes = new Map();
  for (const [entry, symbols] of entries)
    for (const symbol of symbols) {
      const home = homes.get(symbol);
      const isBetter = types.has(`${home} ${symbol.name}`) && !types.has(`${entry} ${symbol.name}`);
      if (home === undefined || isBetter) homes.set(symbol, entry);
    }
  return homes;
}

/** Whether it is exported with the word type. @param {ts.Symbol} symbol */
function isTypeOnly(symbol) {
  return declarationsOf(symbol).some(
    (node) => ts.isExportSpecifier(node) && (node.isTypeOnly || node.parent.parent.isTypeOnly),
  );
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

/**
 * @param {Map<string, ts.Symbol[]>} entries
 * @param {Map<ts.Symbol, string>} homes
 * @param {Map<string, Set<ts.Symbol>>} parts
 */
function reportOf(entries, homes, parts) {
  const lines = [
    "# The interface of @stemma/core",
    "",
    "Written by `npm run api`; a test compares it with what is compiled.",
  ];
  for (const [name, symbols] of entries) {
    const known = symbols.filter((symbol) => homes.get(symbol) !== name);
    lines.push("", `## ${name}`, "");
    if (known.length > 0) {
      lines.push(`Also in ${[...new Set(known.map((symbol) => homes.get(symbol)))].join(", ")}: `, "");
      lines.push(`${known.map((symbol) => `\`${symbol.name}\``).join(", ")}.`, "");
    }
    lines.push("```ts");
    for (const symbol of symbols) {
      if (homes.get(symbol) !== name) continue;
      for (const declaration of declarationsOf(symbol)) lines.push(...textOf(declaration).split("\n"));
    }
    lines.push("```");
    const own = [...(parts.get(name) ?? [])].sort(byName);
    if (own.length === 0) continue;
    lines.push("", "Parts of these types, without a name to import:", "", "```ts");
    for (const symbol of own)
      for (const declaration of declarationsOf(symbol)) lines.push(...textOf(declaration).split("\n"));
    lines.push("```");
  }
  return `${lines.join("\n").replace(/: \n\n`/g, ":\n\n`")}\n`;
}

/** @param {ts.Symbol} symbol */
function kindOf({ flags }) {
  if (flags & ts.SymbolFlags.Class) return "class";
  if (flags & ts.SymbolFlags.Function) return "function";
  if (flags & ts.SymbolFlags.Interface) return "interface";
  return flags & ts.SymbolFlags.TypeAlias ? "type" : "constant";
}

/** The comment that a file begins with. @param {ts.SourceFile | undefined} file */
function docOf(file) {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(file?.text ?? "")?.[1] ?? "";
  return comment
    .replace(/^ *\* ?/gm, "")
    .replace(/@packageDocumentation/, "")
    .trim();
}

/**
 * The parameters of functions, methods and constructors that no comment explains: neither @param nor, for one that has
 * no name of its own, those of its members. @param {Iterable<ts.Symbol>} symbols
 */
function withoutParam(symbols) {
  /** @type {string[]} */
  const found = [];
  for (const symbol of symbols)
    for (const declaration of declarationsOf(symbol)) {
      const members = ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration);
      const callables = [...(members ? declaration.members : [declaration])].filter((node) => !isHidden(node));
      const explained = new Set(callables.flatMap((node) => paramsOf(node).map((name) => `${nameOf(node)} ${name}`)));
      for (const node of callables) {
        if (!ts.isFunctionLike(node) || ts.isAccessor(node) || ts.isIndexSignatureDeclaration(node)) continue;
        if (hasTag(declaration, "opaque")) continue;
        for (const { name } of node.parameters)
          if (!explained.has(`${nameOf(node)} ${name.getText()}`))
            found.push(`${symbol.name}${members ? `.${nameOf(node)}` : ""}(${name.getText()})`);
      }
    }
  return [...new Set(found)];
}

/**
 * Members of classes and interfaces without a sentence, by the entry that they are learned from.
 * @param {Map<ts.Symbol, string>} homes
 */
function membersWithout(homes) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [symbol, entry] of homes)
    for (const declaration of declarationsOf(symbol)) {
      if (!ts.isClassDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) continue;
      if (hasTag(declaration, "opaque")) continue;
      const members = [...declaration.members].filter((node) => node.name && !isHidden(node));
      const isSaid = (/** @type {ts.Node} */ node) =>
        ts.getJSDocCommentsAndTags(node).some((part) => ts.isJSDoc(part) && part.comment);
      const said = new Set(members.filter(isSaid).map((node) => node.name?.getText()));
      const unsaid = new Set(members.map((node) => node.name?.getText()).filter((name) => !said.has(name)));
      found.set(entry, [...(found.get(entry) ?? []), ...[...unsaid].map((name) => `${symbol.name}.${name}`)]);
    }
  return found;
}

/** @param {ts.Node} node */
function nameOf(node) {
  return ts.isConstructorDeclaration(node) ? "new" : ts.isFunctionLike(node) ? (node.name?.getText() ?? "") : "";
}

/** The parameters that a comment explains. @param {ts.Node} node */
function paramsOf(node) {
  return ts.getJSDocTags(node).flatMap((tag) => (ts.isJSDocParameterTag(tag) ? [tag.name.getText()] : []));
}

/**
 * The page of all names: each entry with what it is for, an example, and a sentence for each name.
 * @param {ReturnType<typeof readInterface>["reference"]} reference
 */
function pageOf(reference) {
  const lines = [
    "# All names, by entry",
    "",
    "Look up here which entry of `@stemma/core` has what. [The library](library.md) introduces them; hover over a name in an editor for its parameters, or see the API reference of the site.",
    "The list is complete: what is not here may change in any version. `npm run api` writes it from the declarations.",
  ];
  for (const { entry, doc, names } of reference) {
    if (names.length === 0) continue;
    lines.push("", `## ${entry}`, "", doc.replace(/\s+/g, " "));
    const example = [...names].sort((a, b) => rank(a.name) - rank(b.name)).find(({ example }) => example)?.example;
    if (example) lines.push("", "```ts", example.trimEnd(), "```");
    lines.push("", ...names.map(({ name, doc }) => `- \`${name}\`: ${firstSentence(doc)}`));
  }
  return `${lines.join("\n")}\n`;
}

/** Main names first, in their order. @param {string} name */
const rank = (name) => (MAIN.indexOf(name) + MAIN.length + 1) % (MAIN.length + 1);

/** @param {string} doc */
export function firstSentence(doc) {
  const sentence = /^[\s\S]*?[.:](?=\s|$)/.exec(doc)?.[0] ?? doc;
  return sentence.replace(/:$/, ".").replace(/\s+/g, " ");
}

const printer = ts.createPrinter({ removeComments: true });
const printerWithComments = ts.createPrinter();

/**
 * A declaration without what is private.
 * @param {ts.Declaration} declaration
 * @param {boolean} [withComments] with those of its members
 */
function textOf(declaration, withComments = false) {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const visible = ts.transform(/** @type {ts.Node} */ (statement), [
    (context) => {
      /** @type {(node: ts.Node) => ts.Node | undefined} */
      const visit = (node) => (isHidden(node) ? undefined : ts.visitEachChild(node, visit, context));
      return (node) => ts.visitEachChild(node, visit, context);
    },
  ]).transformed[0];
  const file = statement.getSourceFile();
  const used = withComments ? printerWithComments : printer;
  const text = used.printNode(ts.EmitHint.Unspecified, /** @type {ts.Node} */ (visible), file);
  return text.replace(/^\/\*\*[\s\S]*?\*\/\s*/, "").replace(/^export (declare )?/, "");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { report, page, names, unexported, undocumented, missing } = readInterface();
  writeFileSync(`${FOLDER}api.md`, report);
  writeFileSync(`${FOLDER}../../docs/names.md`, page);
  for (const [entry, own] of names) console.log(`${String(own.length).padStart(4)} ${entry}`);
  for (const name of unexported) console.error(`not exported where it is used: ${name}`);
  for (const name of undocumented) console.error(`no sentence of documentation: ${name}`);
  for (const name of missing) console.error(`no example: ${name}`);
  process.exitCode = unexported.length + undocumented.length + missing.length > 0 ? 1 : 0;
}
