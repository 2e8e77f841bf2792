// The declarations that are published: those of dist without what is marked with @internal, as ES modules in dist/types
// and as CommonJS in dist/cjs. The other packages of this repository are compiled against dist itself (the paths of
// tsconfig.base.json), where the names that they share are.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ts } from "@ts-morph/common";

const DIST = fileURLToPath(new URL("dist/", import.meta.url));
/** Folders of dist that are not compiled file by file. */
const MADE = /^(?:types|cjs)[\\/]/;

/** Writes the declarations into folders of dist that are given. @param {string[]} folders */
export function writeDeclarations(folders) {
  for (const folder of folders) for (const file of declarationsIn(join(DIST, folder))) rmSync(join(DIST, folder, file));
  for (const file of declarationsIn(DIST)) {
    if (MADE.test(file)) continue;
    const text = withoutInternal(file, readFileSync(join(DIST, file), "utf8"));
    for (const folder of folders) {
      mkdirSync(dirname(join(DIST, folder, file)), { recursive: true });
      writeFileSync(join(DIST, folder, file), text);
    }
  }
}

/** @param {string} folder */
function declarationsIn(folder) {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
}

/**
 * A file without the exports and the members that are marked. Interfaces keep theirs, as do classes that implement one:
 * they would no longer be what they say. A class without its constructor would seem to need no arguments.
 * @param {string} file
 * @param {string} text
 */
function withoutInternal(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  let kept = "";
  let from = 0;
  /** @param {ts.Node} node */
  const visit = (node) => {
    const isFree = ts.isClassElement(node) && !ts.isConstructorDeclaration(node) && !implementsAny(node.parent);
    if (
      (isFree || ts.isExportDeclaration(node)) &&
      ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal")
    ) {
      kept += text.slice(from, node.pos);
      from = node.end;
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  kept += text.slice(from);
  // A file that has lost all its exports would no longer be a module.
  return /^(?:export|import)\b/m.test(kept) ? kept : `${kept}export {};\n`;
}

/** @param {ts.Node} node */
function implementsAny(node) {
  const clauses = ts.isClassDeclaration(node) ? (node.heritageClauses ?? []) : [];
  return clauses.some(({ token }) => token === ts.SyntaxKind.ImplementsKeyword);
}
