import { ARRAY, check, checkOptions, type Expectation, FUNCTION, STRING, TRUE_OR_FALSE } from "../checks/options.js";
import { escapeXML, printable, textWidth } from "./characters.js";
import { DIRECTION, type Direction, type Drawable, type Layout, layout, roleRows, wordCount } from "./layout.js";

/** Options of `toSVG`. */
export interface SVGOptions {
  /** `rtl` lays the words out from right to left. */
  readonly direction?: Direction | undefined;
  /** Classes to add to the group of the arc into a word. */
  readonly arcClass?: ((dependent: number) => string | undefined) | undefined;
  /** Classes to add to the group of a word. */
  readonly wordClass?: ((word: number) => string | undefined) | undefined;
  /** An arc for which this is false is not drawn but keeps its place, so that a growing tree does not move. */
  readonly arcVisible?: ((dependent: number) => boolean) | undefined;
  /** The font of all texts. */
  readonly fontFamily?: string | undefined;
  /** For a separate file: follow the viewer's light or dark colour scheme instead of the page's text colour. */
  readonly standalone?: boolean | undefined;
}

const SVG_OPTIONS: Readonly<Record<keyof SVGOptions, Expectation>> = {
  direction: DIRECTION,
  arcClass: FUNCTION,
  wordClass: FUNCTION,
  arcVisible: FUNCTION,
  fontFamily: STRING,
  standalone: TRUE_OR_FALSE,
};

// Sizes in pixels.
const FORM_SIZE = 16;
const ROW_SIZE = 12;
const LABEL_SIZE = 12;
const MARGIN = 12;
const WORD_GAP = 16;
const LABEL_PADDING = 16;
const LEVEL_HEIGHT = 28;
/** From the words to where the level 0 would be; leaves room for the arrow head under the curve of level 1. */
const ARC_FOOT = 10;
const ARROW_LENGTH = 8;
const ARROW_HALF_WIDTH = 3.5;
// The curve of an arc's corner. CORNER_Y < LEVEL_HEIGHT - LABEL_HALF_HEIGHT, so that a corner never meets an arc or
// a label of another level: only the straight legs of crossing arcs can.
const CORNER_X = 30;
const CORNER_Y = 20;
const LABEL_HALF_HEIGHT = 7;
/** Space between a label and the ends of the line that it interrupts. */
const LABEL_CLEARANCE = 3;
// The widths are of Helvetica; fonts that stand in for it are often a little wider.
const WIDTH_ALLOWANCE = 1.05;

const FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif";

function pixels(text: string, size: number): number {
  return text === "" ? 0 : Math.ceil(textWidth(text, size) * WIDTH_ALLOWANCE);
}

function classes(name: string, more: string | undefined): string {
  return escapeXML(more ? `${name} ${more}` : name);
}

/** The texts in column i, from top to bottom, as [class, text, size]. */
function column(tree: Drawable, i: number, roles: readonly string[][]): [string, string, number][] {
  const rows: [string, string, number][] = [["form", printable(tree.forms[i] ?? ""), FORM_SIZE]];
  if (tree.lemmas) rows.push(["lemma", printable(tree.lemmas[i] ?? ""), ROW_SIZE]);
  if (tree.tags) rows.push(["tag", printable(tree.tags[i] ?? ""), ROW_SIZE]);
  roles.forEach((row, k) => {
    rows.push([tree.predicates![k]!.word === i ? "sense" : "role", printable(row[i]!), ROW_SIZE]);
  });
  return rows;
}

interface LabelBox {
  readonly dependent: number;
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/**
 * A vertical line at x from `from` up to `to` (both included in the path), interrupted where it would cross a label.
 */
function leg(x: number, from: number, to: number, boxes: readonly LabelBox[], own: number): string {
  const cuts = boxes.filter((b) => b.dependent !== own && b.left < x && x < b.right && b.y < from && b.y > to);
  cuts.sort((a, b) => b.y - a.y);
  const parts = cuts.map((b) => `V${b.y + LABEL_HALF_HEIGHT}M${x} ${b.y - LABEL_HALF_HEIGHT}`);
  return `M${x} ${from}${parts.join("")}V${to}`;
}

function arrowHead(x: number, y: number): string {
  return `M${x} ${y}l${-ARROW_HALF_WIDTH} ${-ARROW_LENGTH}q${ARROW_HALF_WIDTH} 2 ${2 * ARROW_HALF_WIDTH} 0z`;
}

function describe(tree: Drawable, n: number): string {
  const arcs: string[] = [];
  for (let d = 1; d <= n; d++) {
    const head = tree.heads[d]!;
    if (head < 0) continue;
    const label = tree.labels?.[d];
    arcs.push(`${tree.forms[d]} ← ${head === 0 ? "root" : tree.forms[head]}${label && head > 0 ? ` (${label})` : ""}`);
  }
  const said = (tree.predicates ?? []).map(({ sense, arguments: own }) =>
    [sense, ...own.map(({ word, role }) => `${role} ${tree.forms[word]}`)].join(", "),
  );
  const roles = said.length === 0 ? "" : ` Predicates: ${said.join("; ")}.`;
  return (arcs.length === 0 ? "No dependencies." : `Dependencies: ${arcs.join("; ")}.`) + roles;
}

/** The paths of the arc into d: the line, then the arrow head. */
function arc(place: Layout, d: number, y: number, box: LabelBox | undefined, boxes: readonly LabelBox[]): string {
  const start = place.starts[d]! + MARGIN;
  const end = place.ends[d]! + MARGIN;
  const top = y - ARC_FOOT - place.levels[d]! * LEVEL_HEIGHT;
  const tip = y - ARROW_LENGTH + 1;
  const head = `<path class="arrow" opacity="0.7" d="${arrowHead(end, y)}"/>`;
  if (start === end)
    return `<path class="line" fill="none" stroke="currentColor" opacity="0.7" d="${leg(end, tip, box ? top + LABEL_HALF_HEIGHT : top, boxes, d)}"/>${head}`;
  const left = Math.min(start, end);
  const right = Math.max(start, end);
  // Without a label the line is whole; with one, it ends left of it and goes on right of it, and the curves end before.
  const middle = (left + right) / 2;
  const gapLeft = box ? box.left : middle;
  const gapRight = box ? box.right : middle;
  const cornerLeft = Math.min(CORNER_X, gapLeft - left);
  const cornerRight = Math.min(CORNER_X, right - gapRight);
  const bend = top + CORNER_Y;
  const legLeft = leg(left, left === end ? tip : y, bend, boxes, d);
  // The right leg is drawn downwards as a line of its own; round line ends hide the seam.
  const legRight = leg(right, right === end ? tip : y, bend, boxes, d);
  return (
    `<path class="line" fill="none" stroke="currentColor" opacity="0.7" d="${legLeft}A${cornerLeft} ${CORNER_Y} 0 0 1 ${left + cornerLeft} ${top}H${gapLeft}` +
    `${legRight}A${cornerRight} ${CORNER_Y} 0 0 0 ${right - cornerRight} ${top}H${gapRight}"/>${head}`
  );
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly content: string;
}

function draw(tree: Drawable, options: SVGOptions): Picture {
  const n = wordCount(tree);
  const { labels, heads } = tree;
  const roles = roleRows(tree.predicates ?? [], n);
  const columns = Array.from({ length: n + 1 }, (_, i) => (i === 0 ? [] : column(tree, i, roles)));
  const wordWidths = columns.map((rows) => Math.max(0, ...rows.map(([, text, size]) => pixels(text, size))));
  const labelTexts = Array.from({ length: n + 1 }, (_, d) =>
    d > 0 && heads[d]! >= 0 ? printable(labels?.[d] ?? "") : "",
  );
  const labelWidths = labelTexts.map((text) => pixels(text, LABEL_SIZE));
  const place = layout(
    tree,
    {
      word: (i) => wordWidths[i]!,
      label: (d) => labelWidths[d]!,
      gap: WORD_GAP,
      labelPadding: LABEL_PADDING,
      pitch: [6, 10],
    },
    options.direction,
  );

  const arcHeight = place.levelCount === 0 ? 0 : ARC_FOOT + place.levelCount * LEVEL_HEIGHT + LABEL_HALF_HEIGHT;
  const y = MARGIN + arcHeight;
  const visible = (d: number) => heads[d]! >= 0 && (options.arcVisible?.(d) ?? true);
  const boxes: LabelBox[] = [];
  const boxOf: (LabelBox | undefined)[] = [];
  for (let d = 1; d <= n; d++) {
    if (labelWidths[d] === 0 || !visible(d)) continue;
    const reach = Math.ceil(labelWidths[d]! / 2) + LABEL_CLEARANCE;
    const x = place.labels[d]! + MARGIN;
    boxOf[d] = { dependent: d, left: x - reach, right: x + reach, y: y - ARC_FOOT - place.levels[d]! * LEVEL_HEIGHT };
    boxes.push(boxOf[d]!);
  }

  const arcs: string[] = [];
  for (let d = 1; d <= n; d++) {
    if (!visible(d)) continue;
    const box = boxOf[d];
    const label = box
      ? `<text class="label" x="${place.labels[d]! + MARGIN}" y="${box.y + 4}">${escapeXML(labelTexts[d]!)}</text>`
      : "";
    const name = classes(heads[d] === 0 ? "arc root" : "arc", options.arcClass?.(d));
    arcs.push(
      `<g class="${name}" data-dependent="${d}" data-head="${heads[d]}">${arc(place, d, y, box, boxes)}${label}</g>\n`,
    );
  }

  const words: string[] = [];
  for (let i = 1; i <= n; i++) {
    let baseline = y + FORM_SIZE + 3;
    const texts = columns[i]!.map(([kind, text], row) => {
      if (row > 0) baseline += ROW_SIZE + 6;
      const isRole = kind === "sense" || kind === "role";
      if (isRole && text === "") return "";
      const look = kind === "lemma" ? ' font-style="italic"' : kind === "sense" ? ' font-weight="bold"' : "";
      const style = row === 0 ? "" : ` font-size="${ROW_SIZE}"${look} opacity="${isRole ? 0.85 : 0.65}"`;
      return `<text class="${kind}" x="${place.centers[i]! + MARGIN}" y="${baseline}"${style}>${escapeXML(text)}</text>`;
    });
    words.push(`<g class="${classes("word", options.wordClass?.(i))}" data-word="${i}">${texts.join("")}</g>\n`);
  }

  const forms = Array.from({ length: n }, (_, i) => tree.forms[i + 1] ?? "");
  const rtl = options.direction === "rtl" ? ' direction="rtl"' : "";
  const rowCount = n === 0 ? 0 : columns[1]!.length - 1;
  return {
    width: place.width + 2 * MARGIN,
    height: y + (n === 0 ? 0 : FORM_SIZE + 8 + rowCount * (ROW_SIZE + 6)) + MARGIN,
    content:
      `<title>${escapeXML(tree.title ?? (forms.join(" ") || "Empty sentence"))}</title>\n` +
      `<desc>${escapeXML(describe(tree, n))}</desc>\n` +
      `<g class="arcs" font-size="${LABEL_SIZE}" stroke-width="1.2" stroke-linecap="round">\n${arcs.join("")}</g>\n` +
      `<g class="words" font-size="${FORM_SIZE}"${rtl}>\n${words.join("")}</g>\n`,
  };
}

function open(width: number, height: number, attributes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"${attributes}>\n`;
}

function look(options: SVGOptions): string {
  const scheme = options.standalone ? ' style="color-scheme:light dark"' : "";
  return ` class="stemma-tree" font-family="${escapeXML(options.fontFamily ?? FONT)}" text-anchor="middle" fill="currentColor"${scheme}`;
}

/**
 * The tree as an SVG element: words on a line, arcs above them, all in the colour of the surrounding text and without a
 * background. Colours can be changed through the classes `arc`, `line`, `arrow`, `label`, `word`, `form`, `lemma`,
 * `tag`, `sense`, `role`.
 *
 * @param tree forms, heads and labels
 * @param options direction, classes and font
 * @example
 * ```ts
 * import { toSVG } from "@stemma/core";
 *
 * // Words are counted from 1, and what stands at 0 is not read.
 * console.log(toSVG({ forms: ["", "Birds", "sing"], heads: [-1, 2, 0], labels: ["", "nsubj", "root"] }));
 * ```
 */
export function toSVG(tree: Drawable, options: SVGOptions = {}): string {
  checkOptions("toSVG", options, SVG_OPTIONS);
  const { width, height, content } = draw(tree, options);
  return `${open(width, height, `${look(options)} role="img"`)}${content}</svg>\n`;
}

/** Several trees in one SVG document, one below the other. */
export function toStackedSVG(trees: readonly Drawable[], options: SVGOptions = {}): string {
  check("trees", trees, ARRAY);
  checkOptions("toStackedSVG", options, SVG_OPTIONS);
  let width = 0;
  let height = 0;
  const parts: string[] = [];
  const pictures = trees.map((tree) => draw(tree, options));
  for (const picture of pictures) width = Math.max(width, picture.width);
  for (const picture of pictures) {
    const x = options.direction === "rtl" ? width - picture.width : 0;
    parts.push(
      `${open(picture.width, picture.height, ` x="${x}" y="${height}" role="img"`)}${picture.content}</svg>\n`,
    );
    height += picture.height;
  }
  return `${open(width, height, look(options))}${parts.join("")}</svg>\n`;
}
