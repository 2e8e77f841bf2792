// The API reference, from the declarations that core is published with. TypeDoc needs the API of TypeScript up to 6, so
// this asks TypeScript 7 itself.
import { existsSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { API, SymbolFlags } from "typescript/unstable/sync";

/**
 * @typedef {{ name: string, kind: string, doc: string, signature: string, group: string, from: string[] }} Entry
 * `group` is the folder of core in which it is, `from` what it can be imported from.
 */

const CORE = fileURLToPath(new URL("../packages/core/", import.meta.url));
const CONFIG = fileURLToPath(new URL("tsconfig.api.json", import.meta.url));

/** The declaration files behind what can be imported from core: "@stemma/core" and its subpaths. */
function entryPoints() {
  const { name, exports } = JSON.parse(readFileSync(join(CORE, "package.json"), "utf8"));
  return Object.entries(exports)
    .filter(([, target]) => target.import)
    .map(([path, target]) => ({ name: posix.join(name, path), file: join(CORE, target.import.types) }))
    .filter(({ file }) => existsSync(file));
}

/** Everything that core exports, in the order of the alphabet. @returns {Entry[]} */
export function readAPI() {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openProjects: [CONFIG] }).getProject(CONFIG);
    if (!project) throw new Error(`${CONFIG}: TypeScript does not open it`);
    const { program, checker } = project;
    /** @type {Map<string, Entry>} */
    const entries = new Map();
    for (const { name: from, file } of entryPoints()) {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      if (!module) throw new Error(`${file}: no such module; npm run build makes it`);
      for (const exported of checker.getExportsOfModule(module)) {
        const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
        const known = entries.get(exported.name);
        if (known) {
          known.from.push(from);
          continue;
        }
        const nodes = symbol.declarations.map((handle) => handle.resolve(project)).filter((node) => node !== undefined);
        const first = nodes[0]?.getSourceFile().fileName;
        if (first === undefined) throw new Error(`${from}: ${exported.name} has no declaration`);
        const folder = relative(join(CORE, "dist"), first).split(sep).slice(0, -1)[0];
        entries.set(exported.name, {
          name: exported.name,
          kind: kindOf(symbol.flags),
          doc: checker.getDocumentationCommentOfSymbol(symbol),
          signature: nodes.map(signatureOf).join("\n"),
          group: folder ?? "core",
          from: [from],
        });
      }
    }
    return [...entries.values()].sort((a, b) => a.name.localeCompare(b.name, "en"));
  } finally {
    api.close();
  }
}

/** @param {number} flags */
function kindOf(flags) {
  if (flags & SymbolFlags.Class) return "class";
  if (flags & SymbolFlags.Function) return "function";
  if (flags & SymbolFlags.Interface) return "interface";
  if (flags & SymbolFlags.TypeAlias) return "type";
  return "constant";
}

/** A declaration as it is written, without what only concerns the class itself. @param {any} node */
function signatureOf(node) {
  const text = node.getSourceFile().text;
  // The node of a constant is `name: type`; the words before it belong to the statement.
  if (node.parent?.parent && /^const\b/.test(node.parent.getText()))
    return `${node.parent.getText().replace(/;$/, "")};`;
  const start = node.getStart();
  let signature = "";
  let from = start;
  for (const member of node.members ?? []) {
    if (!/^(?:static )?(?:private |#)/.test(member.getText())) continue;
    signature += text.slice(from, member.pos);
    from = member.end;
  }
  signature += text.slice(from, node.end);
  return signature.replace(/^export (?:default )?(?:declare )?/, "").replace(/^ {4}/gm, "  ");
}
