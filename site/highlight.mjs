// Colours for code, when the site is built: comments, strings, numbers and words of the language. The few languages of
// the documentation need no library.
import { escapeHTML } from "./template.mjs";

const KEYWORDS =
  "abstract as async await break case catch class const continue default delete do else export extends false finally for from function get if implements import in instanceof interface keyof let new null of private readonly return set static super switch this throw true try type typeof undefined var void while yield";
const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/;
const NUMBER = /\b\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b/;

/** @typedef {[kind: string, pattern: RegExp][]} Rules the first that fits decides */
/** @type {Rules} */
const SCRIPT = [
  ["comment", /\/\/[^\n]*|\/\*[\s\S]*?\*\//],
  ["string", new RegExp(`${STRING.source}|\`(?:\\\\.|[^\`\\\\])*\``)],
  ["keyword", new RegExp(`(?<![.$\\w])(?:${KEYWORDS.replaceAll(" ", "|")})(?![\\w$:?])`)],
  ["number", NUMBER],
];
/** @type {Rules} */
const SHELL = [
  ["comment", /(?<=^|\s)#[^\n]*/m],
  ["prompt", /^\$ /m],
  ["string", STRING],
  ["keyword", /(?<=\s)--?[a-zA-Z][\w-]*/],
];
/** @type {Rules} */
const MARKUP = [
  ["comment", /<!--[\s\S]*?-->/],
  ["string", /"[^"\n]*"/],
  ["keyword", /<\/?[a-zA-Z][\w-]*|\/?>/],
];
/** @type {Rules} */
const DATA = [
  ["comment", /^\s*#[^\n]*/m],
  ["keyword", /"(?:\\.|[^"\\\n])*"(?=\s*:)|^[ -]*[\w.-]+(?=\s*[:=])/m],
  ["string", STRING],
  ["number", NUMBER],
];
/** @type {Readonly<Record<string, Rules>>} */
const LANGUAGES = {
  ...{ js: SCRIPT, mjs: SCRIPT, cjs: SCRIPT, ts: SCRIPT, tsx: SCRIPT, jsx: SCRIPT, diff: SCRIPT },
  ...{ sh: SHELL, bash: SHELL, html: MARKUP, json: DATA, yaml: DATA, toml: DATA },
};

/**
 * Code as HTML.
 * @param {string} code
 * @param {string} language of the fence; others than those above have no colours
 * @param {(text: string) => string} [plain] HTML of what has no colour
 */
export function highlight(code, language, plain = escapeHTML) {
  const rules = LANGUAGES[language];
  if (!rules) return plain(code);
  const any = new RegExp(rules.map(([kind, { source }]) => `(?<${kind}>${source})`).join("|"), "gm");
  let html = "";
  let from = 0;
  for (const match of code.matchAll(any)) {
    const kind = rules.find(([kind]) => match.groups?.[kind] !== undefined)?.[0];
    html += `${plain(code.slice(from, match.index))}<span class="${kind}">${escapeHTML(match[0])}</span>`;
    from = match.index + match[0].length;
  }
  return html + plain(code.slice(from));
}
