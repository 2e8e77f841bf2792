// Markdown of the repository as pages: headings get the anchors that GitHub gives them, and links between files become
// links between pages.
import { posix } from "node:path";
import { Marked } from "marked";
import { highlight } from "./highlight.mjs";

/** @typedef {{ id: string, text: string, depth: number }} Heading */

/** @param {string} html */
export const plainText = (html) =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");

/** A sentence without a paragraph around it. @param {string} markdown */
export const renderInline = (markdown) => /** @type {string} */ (new Marked().parseInline(markdown));

/** GitHub's anchor of a heading. @param {string} text @param {Set<string>} used */
function anchorOf(text, used) {
  const base = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
  let id = base;
  for (let n = 1; used.has(id); n++) id = `${base}-${n}`;
  used.add(id);
  return id;
}

/**
 * The page of a file.
 * @param {string} markdown
 * @param {string} file its path in the repository
 * @param {(target: string, file: string) => string} addressOf where the site has another file of the repository,
 * relative to this page
 */
export function renderMarkdown(markdown, file, addressOf) {
  /** @type {Heading[]} */
  const headings = [];
  const used = new Set();
  const marked = new Marked({
    walkTokens(token) {
      if (token.type !== "link" && token.type !== "image") return;
      if (/^(?:[a-z][a-z\d+.-]*:|#|\/\/)/i.test(token.href)) return;
      const [path, anchor] = token.href.split("#");
      const target = posix.join(posix.dirname(file), decodeURI(path));
      token.href = addressOf(target, file) + (anchor === undefined ? "" : `#${anchor}`);
    },
    renderer: {
      code({ text, lang = "" }) {
        return `<pre tabindex="0"><code>${highlight(text, lang.split(" ")[0] ?? "")}\n</code></pre>\n`;
      },
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const id = anchorOf(plainText(html), used);
        headings.push({ id, text: html.replace(/<\/?a\b[^>]*>/g, ""), depth });
        return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
    },
  });
  // A wide table scrolls by itself; to be reached with the keyboard it needs a place in the order of the tab key.
  const html = /** @type {string} */ (marked.parse(markdown))
    .replaceAll("<table>", '<div class="table" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>");
  return { html, headings };
}

/**
 * The sections of a page, which the search looks through.
 * @param {string} path @param {string} title @param {string} html
 */
export function sectionsOf(path, title, html) {
  return html
    .split(/(?=<h[1-6] id=)/)
    .map((section) => {
      const [, id, heading] = /^<h\d id="([^"]*)">(.*?) <a class="anchor"/s.exec(section) ?? [];
      const text = plainText(section.replace(/^<h\d.*?<\/h\d>/s, ""))
        .replace(/\s+/g, " ")
        .trim();
      return { address: id ? `${path}#${id}` : path, page: title, title: heading ? plainText(heading) : title, text };
    })
    .filter(({ text, address }) => text !== "" || address.includes("#"));
}
