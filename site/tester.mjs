// The page on which patterns of tree search can be tried, bundled as a plain script, which also runs from the disk.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { escapeHTML } from "./template.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The searches of docs/search.md that stand under a heading of their own: its examples can be chosen. */
function recipes() {
  const markdown = readFileSync(join(ROOT, "docs/search.md"), "utf8");
  return markdown.split(/^(?=### \d+\. )/m).flatMap((section) => {
    const title = /^### \d+\. (.*)/.exec(section)?.[1];
    if (title === undefined) return [];
    return [...section.matchAll(/^\$ stemma search '([^'\n]+)'/gm)].map((match) => ({ title, pattern: match[1] }));
  });
}

/**
 * Puts the script into the site and gives the page.
 * @param {string} out
 */
export async function buildTester(out) {
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      outDir: join(out, "assets"),
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      lib: {
        entry: fileURLToPath(new URL("tester-page.mjs", import.meta.url)),
        formats: ["iife"],
        name: "stemmaTester",
        fileName: () => "tester.js",
      },
    },
  });
  const options = recipes().map(
    ({ title, pattern }) =>
      `<option value="${escapeHTML(pattern)}">${escapeHTML(title)}: ${escapeHTML(pattern)}</option>`,
  );
  const sample = readFileSync(join(ROOT, "docs/examples/search.conllu"), "utf8");
  return {
    path: "pattern-tester.html",
    title: "Pattern tester",
    wide: true,
    content: `<h1 id="pattern-tester">Pattern tester</h1>
<p>Type a pattern, which describes words and the relations between them, and see its matches in the sentences below.
<a href="docs/search.html">Searching trees</a> explains the language. <code>stemma search</code> does the same with files of any size.</p>
<form class="tester">
<label for="recipe">Recipe</label>
<select id="recipe"><option value="">your own pattern</option>${options.join("")}</select>
<label for="pattern">Pattern</label>
<input id="pattern" spellcheck="false" autocomplete="off" aria-describedby="status" value="${escapeHTML("{upos:VERB} >nsubj:pass {}=subject !>obl:agent {}")}">
<pre id="status" role="status"></pre>
<div id="matches"></div>
<label for="sentences">Sentences: CoNLL-U, or English text</label>
<textarea id="sentences" rows="12" spellcheck="false">${escapeHTML(sample)}</textarea>
</form>
<script src="assets/tester.js"></script>`,
  };
}
