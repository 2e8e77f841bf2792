// Draws the folders of packages/core/src and which imports which, from the sources: node docs/folders.mjs writes
// docs/images/folders.svg. An arrow that follows from others is left out, and so is what is imported on demand. Folders of
// an optional feature that come later than the rest of it stand for themselves.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL("../packages/core/src", import.meta.url));
/** @type {Map<string, Set<string>>} */
const graph = new Map();
/** @type {Map<string, number>} */
const lines = new Map();
/** @param {string} file */
const folderOf = (file) => /^[^/]+(?:\/(?:learning|attachment)(?=\/))?/.exec(file)?.[0] ?? "";
for (const path of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
  const file = path.split(sep).join("/");
  if (!file.endsWith(".ts") || file.endsWith(".generated.ts") || !file.includes("/")) continue;
  const folder = folderOf(file);
  const text = readFileSync(join(sources, file), "utf8");
  lines.set(folder, (lines.get(folder) ?? 0) + text.split("\n").length);
  const targets = graph.get(folder) ?? graph.set(folder, new Set()).get(folder);
  for (const match of text.matchAll(/\b(?:from|import)\s*"(\.[^"]*)"/g)) {
    const other = folderOf(posix.join(posix.dirname(file), match[1]));
    if (other !== folder) targets?.add(other);
  }
}

/** How many folders are below one. @param {string} folder @returns {number} */
const rank = (folder) => Math.max(0, ...[...(graph.get(folder) ?? [])].map((target) => 1 + rank(target)));
/** @param {string} from @param {string} to @returns {boolean} */
const reaches = (from, to) => [...(graph.get(from) ?? [])].some((next) => next === to || reaches(next, to));

/** @type {string[][]} */
const rows = [];
for (const folder of [...graph.keys()].sort()) (rows[rank(folder)] ??= []).push(folder);
rows.reverse();
const [width, height, gapX, gapY] = [168, 44, 28, 30];
const total = Math.max(...rows.map((row) => row.length)) * (width + gapX) + gapX;
/** @type {Map<string, { x: number, y: number }>} */
const places = new Map();
rows.forEach((row, r) => {
  const left = (total - row.length * (width + gapX) + gapX) / 2;
  row.forEach((folder, i) => {
    places.set(folder, { x: left + i * (width + gapX), y: 12 + r * (height + gapY) });
  });
});
const arrows = [...graph].flatMap(([from, targets]) =>
  [...targets]
    .filter((to) => ![...targets].some((between) => between !== to && reaches(between, to)))
    .map((to) => {
      const [a, b] = [places.get(from), places.get(to)];
      if (!a || !b) throw new Error(`no place for ${from} or ${to}`);
      const [x1, y1, x2, y2] = [a.x + width / 2, a.y + height, b.x + width / 2, b.y];
      const bend = Math.min(40, (y2 - y1) / 2);
      return `<path d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 3}"/>`;
    }),
);
const boxes = [...places].map(([folder, { x, y }]) => {
  const size = `${Math.round((lines.get(folder) ?? 0) / 100) / 10}k lines`;
  return `<g transform="translate(${x} ${y})"><rect width="${width}" height="${height}" rx="6"/><text x="${width / 2}" y="19">${folder}</text><text class="size" x="${width / 2}" y="35">${size}</text></g>`;
});
const bottom = 24 + rows.length * (height + gapY) - gapY;
writeFileSync(
  fileURLToPath(new URL("images/folders.svg", import.meta.url)),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} ${bottom}" width="${total}" height="${bottom}" font-family="sans-serif" font-size="14" text-anchor="middle" role="img" aria-label="Folders of the core; an arrow points to what a folder imports">
<style>rect{fill:#f4f6fa;stroke:#5a6b8c}path{fill:none;stroke:#8a94a8;marker-end:url(#a)}.size{font-size:11px;fill:#5a6b8c}</style>
<rect x="0" y="0" width="${total}" height="${bottom}" style="fill:#fff;stroke:none"/>
<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#8a94a8;stroke:none"/></marker></defs>
${arrows.join("\n")}
${boxes.join("\n")}
</svg>
`,
);
