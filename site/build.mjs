// Builds the documentation site: node site/build.mjs [FOLDER] (npm run site), into site/dist if no folder is given.
// All addresses are relative and search runs in the page, so the folder can be put anywhere, or opened from the disk.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { firstSentence, readInterface } from "../packages/core/api.mjs";
import { highlight } from "./highlight.mjs";
import { plainText, renderInline, renderMarkdown, sectionsOf } from "./markdown.mjs";
import { SECTIONS, TITLES } from "./navigation.mjs";
import { escapeHTML, relativeAddress, renderPage } from "./template.mjs";
import { buildTester } from "./tester.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const STUDIO = join(ROOT, "packages/studio/dist");
const ASSETS = fileURLToPath(new URL("assets", import.meta.url));

/**
 * @typedef {{ path: string, title: string, content: string, wide?: boolean, contents?: { id: string, text: string }[]
 * }} Page
 */

/** Where the site has a Markdown file of the repository. @param {string} file */
const pathOf = (file) => file.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html");

/**
 * The pages of the Markdown files of the menu and of all that they link to. Other files that they link to are copied.
 * @param {string} out
 */
function markdownPages(out) {
  const listed = SECTIONS.flatMap(({ files }) => files).filter((file) => existsSync(join(ROOT, file)));
  const docs = readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  const files = [...new Set([...listed, ...docs])];
  /** @type {Map<string, Page>} */
  const pages = new Map();
  for (const file of files) {
    const { html, headings } = renderMarkdown(readFileSync(join(ROOT, file), "utf8"), file, (target) => {
      const path = join(ROOT, target);
      if (target.startsWith("..") || !existsSync(path))
        throw new Error(`${file}: links to ${target}, which does not exist`);
      if (target.endsWith(".md")) {
        // A page that only other pages know is made as well; the list grows while it is read.
        if (!files.includes(target)) files.push(target);
        return relativeAddress(pathOf(file), pathOf(target));
      }
      const copy = /\.[^./]+$/.test(target) ? target : `${target}.txt`;
      mkdirSync(dirname(join(out, copy)), { recursive: true });
      cpSync(path, join(out, copy), { recursive: true });
      return relativeAddress(pathOf(file), copy);
    });
    const first = headings.find(({ depth }) => depth === 1);
    const title = plainText(first?.text ?? file);
    const contents = headings.filter(({ depth }) => depth === 2);
    pages.set(file, { path: pathOf(file), title, content: html, contents });
  }
  return { pages, docs };
}

/** The page of an entry of the core: "@stemma/core/treebank" is api/treebank.html. @param {string} entry */
const pageOf = (entry) => `${entry.replace(/^@stemma\/core\/?/, "") || "core"}.html`;

/** The reference: a page for each entry of the core, and one that lists all names. */
function apiPages() {
  const { reference } = readInterface();
  const shown = reference.filter(({ names }) => names.length > 0);
  /** @type {Map<string, string>} */
  const addresses = new Map();
  for (const { entry, names } of shown) for (const { name } of names) addresses.set(name, `${pageOf(entry)}#${name}`);
  for (const { entry, parts } of shown)
    for (const { name } of parts) if (!addresses.has(name)) addresses.set(name, `${pageOf(entry)}#${name}`);
  /**
   * @param {import("../packages/core/api.mjs").Described} described
   * @param {string} id
   * @param {string} from
   */
  const section = ({ name, kind, doc, parameters, example, declaration }, id, from) => {
    const params = parameters.map((text) => text.replace(/^(\S+)\s*/, "- `$1`: ")).join("\n");
    const code = example === undefined ? "" : `\`\`\`ts\n${example}\`\`\``;
    const { html } = renderMarkdown([asMarkdown(doc), params, code].join("\n\n"), "api", (target) => target);
    return `<h2 id="${id}">${name} <a class="anchor" href="#${id}" aria-label="Link to ${name}">#</a></h2>
<p class="kind">${kind}${from}</p>
${html}<pre class="signature" tabindex="0"><code>${linked(declaration.replace(/^ {4}/gm, "  "), name, addresses)}</code></pre>`;
  };
  /** @type {Page[]} */
  const pages = shown.map(({ entry, doc, names, also, parts }) => {
    // A part may have the name of something else on the page.
    const idOf = (/** @type {{ name: string }} */ { name }) =>
      names.some((other) => other.name === name) ? `part-${name}` : name;
    const others = also.map(({ name, home }) => `<a href="${pageOf(home)}#${name}"><code>${name}</code></a>`);
    const content = [
      `<h1 id="top"><code>${entry}</code> <a class="anchor" href="#top" aria-label="Link to this page">#</a></h1>`,
      renderMarkdown(doc, "api", (target) => target).html,
      ...(others.length > 0 ? [`<p>It also exports ${others.join(", ")}.</p>`] : []),
      ...names.map((described) => section(described, described.name, `, from <code>${entry}</code>`)),
      ...parts.map((part) => section(part, idOf(part), ", a part of the types above, without a name to import")),
    ];
    return {
      path: `api/${pageOf(entry)}`,
      title: entry,
      content: content.join("\n"),
      contents: [
        ...names.map(({ name }) => ({ id: name, text: name })),
        ...parts.map((part) => ({ id: idOf(part), text: part.name })),
      ],
    };
  });
  const lists = shown.map(({ entry, names }) => {
    const id = pageOf(entry).replace(".html", "");
    const items = names.map(
      ({ name, doc }) =>
        `<li><a href="${addresses.get(name)}"><code>${name}</code></a> ${renderInline(firstSentence(doc))}</li>`,
    );
    return `<h2 id="${id}"><a href="${pageOf(entry)}"><code>${entry}</code></a> <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h2>\n<ul class="names">${items.join("\n")}</ul>`;
  });
  const index = {
    path: "api/index.html",
    title: "API reference",
    content: `<h1 id="top">API reference <a class="anchor" href="#top" aria-label="Link to this page">#</a></h1>
<p>Look up everything that <code>@stemma/core</code> exports, by entry. The pages are generated from the package's declarations.
For an introduction, see <a href="../docs/library.html">the library</a>.</p>\n${lists.join("\n")}`,
    contents: shown.map(({ entry }) => ({ id: pageOf(entry).replace(".html", ""), text: entry })),
  };
  return { index, pages };
}

/** Examples in comments are indented by two spaces; Markdown wants four. @param {string} doc */
const asMarkdown = (doc) => doc.replace(/^ {2}(?=\S)/gm, "    ");

/**
 * A declaration in colours, the names that have a place linked. @param {string} code @param {string} self @param
 * {Map<string, string>} addresses
 */
function linked(code, self, addresses) {
  return highlight(code, "ts", (text) =>
    escapeHTML(text).replace(/\b[A-Z]\w*\b/g, (name) => {
      const address = name === self ? undefined : addresses.get(name);
      return address ? `<a href="${address}">${name}</a>` : name;
    }),
  );
}

const NEEDS_SERVER = `<p class="needs-server">Browsers do not run this page from a file on the disk. Serve the folder of this site, for example with
<code>python3 -m http.server</code> or <code>npx serve</code>, or run <code>npx stemma studio</code>.</p>`;

/** @type {Page} */
const PLAYGROUND = {
  path: "playground.html",
  title: "Playground",
  wide: true,
  content: `<h1 id="playground">Playground</h1>
<p>Type a sentence and see its tree, and how each system builds it step by step. Everything runs in this page; nothing is sent anywhere.
<a href="studio/index.html">Open it in its own window</a>, or read <a href="docs/studio.html">what it can do</a>.</p>
${NEEDS_SERVER}
<iframe src="studio/index.html" title="Stemma Studio" loading="lazy"></iframe>`,
};

/**
 * Builds the site into a folder, which is emptied first.
 * @param {string} out
 */
export async function buildSite(out) {
  for (const file of [join(STUDIO, "index.html"), join(ROOT, "packages/core/dist/index.d.ts")])
    if (!existsSync(file)) throw new Error(`${file}: no such file; npm run build makes it`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { pages, docs } = markdownPages(out);
  const api = apiPages();
  const tester = await buildTester(out);
  const playground = [PLAYGROUND, ...(tester ? [tester] : [])];
  const inMenu = new Set(SECTIONS.flatMap(({ files }) => files));
  const others = docs.filter((file) => !inMenu.has(file));
  const chosen = (files) =>
    files.flatMap((file) => {
      const page = pages.get(file);
      return page ? { ...page, title: TITLES[file] ?? page.title } : [];
    });
  const menu = SECTIONS.map(({ title, files }) => ({ title, pages: chosen(files) }));
  menu[0].pages.push(...playground);
  menu.splice(3, 0, { title: "Reference", pages: [api.index, ...api.pages.map(asMenuEntry)] });
  if (others.length > 0) menu.push({ title: "More", pages: chosen(others) });

  const all = [...pages.values(), api.index, ...api.pages, ...playground];
  for (const page of all) {
    mkdirSync(dirname(join(out, page.path)), { recursive: true });
    writeFileSync(join(out, page.path), renderPage(page, menu));
  }
  const sections = all.flatMap(({ path, title, content }) => sectionsOf(path, title, content));
  cpSync(ASSETS, join(out, "assets"), { recursive: true });
  // A script and no JSON: a page that was opened from the disk may not fetch.
  writeFileSync(join(out, "assets/search-data.js"), `globalThis.stemmaSections = ${JSON.stringify(sections)};\n`);
  const require = createRequire(import.meta.url);
  const minisearch = join(dirname(require.resolve("minisearch")), "../umd/index.js");
  const library = readFileSync(minisearch, "utf8").replace(/\n?\/\/# sourceMappingURL=.*\n?$/, "\n");
  writeFileSync(join(out, "assets/minisearch.js"), library);
  cpSync(join(STUDIO, "icon.svg"), join(out, "assets/icon.svg"));
  cpSync(STUDIO, join(out, "studio"), { recursive: true });
  return { pages: all.length, sections: sections.length };
}

/** @param {Page} page */
const asMenuEntry = ({ path, title }) => ({ path, title, within: "api/" });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = process.argv[2] ?? fileURLToPath(new URL("dist", import.meta.url));
  const { pages } = await buildSite(out);
  console.log(`${posix.normalize(out)}: ${pages} pages; open index.html, or serve the folder`);
}
