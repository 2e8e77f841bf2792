// The steps of a derivation as pictures: stack, buffer, the transition and the tree so far, all of the same size.

import type { Derivation } from "../../protocol/derivation.js";
import { capitalized, stackTitle, transitionName } from "../../state/derivation/names.js";
import { isRightToLeft } from "../../state/shown/direction.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { geometry } from "../tree/layout/arcs.js";
import { layoutTree } from "../tree/layout/layout.js";
import { FORM_FONT, SMALL_FONT, widthOf } from "../tree/layout/measure.js";

const FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif";
const INK = "#1b2130";
const SOFT = "#596273";
const LINE = "#8b93a1";
const ACCENT = "#0f766e";
const ACCENT_SOFT = "#dcf1ee";

const MARGIN = 20;
const HEAD = 44;
const ROW = 62;
const NODE_GAP = 8;
const NODE_PADDING = 9;
/** Frames are at least this wide. */
const LEAST_WIDTH = 560;
/** Nodes of a stack or buffer that are drawn; the others are counted. */
const MOST_NODES = 8;

export interface Frames {
  width: number;
  height: number;
  count: number;
  /** The picture after so many steps, as an SVG document. */
  frame(step: number): string;
  /** The same in parts, most of which the pictures of many steps have in common. */
  parts(step: number): string[];
}

export function framesOf(derivation: Derivation, sentence: ShownSentence): Frames {
  const { forms } = sentence;
  const { configurations, tree, since, replaced, removals } = derivation;
  const rightToLeft = isRightToLeft(forms.join(" "));
  const widths = forms.map((form, i) =>
    i === 0 ? 0 : Math.max(widthOf(form, FORM_FONT), widthOf(sentence.tag(i), SMALL_FONT), 10),
  );
  const place = geometry(
    layoutTree(widths, [tree], (label) => widthOf(label, SMALL_FONT), rightToLeft),
    { ghostRoom: replaced.length > 0, tokenRoom: false, fallRoom: removals.length > 0 },
  );
  const name = (node: number) => (node === 0 ? "ROOT" : forms[node]!);
  const nodeWidth = (node: number) => widthOf(name(node), FORM_FONT) + 2 * NODE_PADDING;
  const rowWidth = (nodes: readonly number[]) =>
    nodes.slice(0, MOST_NODES).reduce((sum, node) => sum + nodeWidth(node) + NODE_GAP, 60);
  const widest = (rows: readonly (readonly number[])[]) => Math.max(...rows.map(rowWidth));
  const half = Math.max(
    widest(configurations.map(({ stack }) => stack.slice(-MOST_NODES))),
    widest(configurations.map(({ buffer }) => buffer)),
  );
  const width = Math.ceil(Math.max(LEAST_WIDTH, place.width, 2 * half) + 2 * MARGIN);
  const treeTop = HEAD + ROW + MARGIN;
  const height = Math.ceil(treeTop + place.height + MARGIN / 2);
  const left = (width - place.width) / 2;

  const drawNodes = (nodes: readonly number[], from: number, way: 1 | -1): string => {
    let x = from;
    const parts = nodes.slice(0, MOST_NODES).map((node, i) => {
      const w = nodeWidth(node);
      const at = way === 1 ? x : x - w;
      x += way * (w + NODE_GAP);
      const stroke = i === 0 ? ACCENT : LINE;
      return (
        `<rect x="${at}" y="${HEAD + 20}" width="${w}" height="30" rx="7" fill="white" stroke="${stroke}"/>` +
        text(at + w / 2, HEAD + 40, name(node), 16, INK)
      );
    });
    const more = nodes.length - MOST_NODES;
    if (more > 0) parts.push(text(x + way * 16, HEAD + 40, `+${more}`, 13, SOFT));
    if (nodes.length === 0) parts.push(text(x + way * 24, HEAD + 40, "empty", 13, SOFT));
    return parts.join("");
  };

  const parts = (step: number): string[] => {
    const { stack, buffer, lists } = configurations[step]!;
    const before = configurations[step - 1];
    const choice = before?.choices[before.taken];
    const title = choice ? transitionName(choice) : "Start";
    const others = Object.entries(lists).map(
      ([list, nodes]) => `${capitalized(list)}: ${nodes.map(name).join(" ") || "–"}`,
    );
    const middle = width / 2;
    const onStack = new Set(stack);
    const removed = new Set(removals.filter((one) => one.since <= step).map(({ word }) => word));
    const shows = (d: number) => since[d]! <= step && tree.heads[d]! >= 0;
    // Arcs that are there for now, above the others.
    const passing = replaced
      .filter((arc) => arc.since <= step && step < arc.until)
      .map(({ head, dependent, label }) => {
        const { line, arrow, labelX, labelY } = place.ghost(head, dependent, shows);
        const w = widthOf(label, SMALL_FONT) + 6;
        return (
          `<path fill="none" stroke="${LINE}" stroke-width="1.4" d="${line}"/><path fill="${LINE}" d="${arrow}"/>` +
          `<rect x="${labelX - w / 2}" y="${labelY - 12}" width="${w}" height="16" fill="white"/>` +
          text(labelX, labelY, label, 12, SOFT)
        );
      });
    const drawn = place
      .order(0)
      .filter(shows)
      .map((d) => {
        const isNew = since[d] === step && step > 0;
        const colour = isNew ? ACCENT : LINE;
        const label = place.label(0, d);
        const w = widthOf(tree.labels[d]!, SMALL_FONT) + 6;
        return (
          `<path fill="none" stroke="white" stroke-width="5" d="${place.line(0, d)}"/>` +
          `<path fill="none" stroke="${colour}" stroke-width="${isNew ? 2.2 : 1.4}" d="${place.line(0, d)}"/>` +
          `<path fill="${colour}" d="${place.arrow(0, d)}"/>` +
          `<rect x="${label.x - w / 2}" y="${label.y - 12}" width="${w}" height="16" fill="white"/>` +
          text(label.x, label.y, tree.labels[d]!, 12, isNew ? ACCENT : SOFT)
        );
      });
    const words = forms.map((form, i) => {
      if (i === 0) return "";
      const box = onStack.has(i)
        ? `<rect x="${place.x(i) - place.half(i) - 5}" y="${place.top(i)}" width="${2 * place.half(i) + 10}" height="${place.wordHeight}" rx="6" fill="${ACCENT_SOFT}"/>`
        : "";
      const isRemoved = removed.has(i);
      const y = place.top(i) + (isRemoved ? place.fall.y : 0);
      const word = text(place.x(i), y + 21, form, 16, isRemoved ? SOFT : INK);
      return (
        box +
        (isRemoved ? `<g text-decoration="line-through">${word}</g>` : word) +
        text(place.x(i), y + 38, sentence.tag(i), 12, SOFT)
      );
    });
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" text-anchor="middle">`,
      `<title>${escaped(`Step ${step}: ${title}`)}</title>`,
      `<rect width="${width}" height="${height}" fill="white"/>`,
      `<g text-anchor="start">${text(MARGIN, 28, `${step} / ${configurations.length - 1}   ${title}`, 17, ACCENT)}</g>`,
      `<g text-anchor="end">${text(width - MARGIN, 28, others.join("   "), 13, SOFT)}</g>`,
      `<g>${text(middle - 30, HEAD + 12, capitalized(stackTitle(derivation.system.name)), 12, SOFT)}${text(middle + 32, HEAD + 12, "Buffer", 12, SOFT)}</g>`,
      drawNodes([...stack].reverse(), middle - 8, -1),
      `<path stroke="${ACCENT}" stroke-width="3" d="M${middle} ${HEAD + 16}v38"/>`,
      drawNodes(buffer, middle + 8, 1),
      `<g transform="translate(${left} ${treeTop})">`,
      ...[...drawn, ...passing, ...words],
      "</g></svg>\n",
    ];
  };
  return { width, height, count: configurations.length, frame: (step) => parts(step).join(""), parts };
}

function text(x: number, y: number, content: string, size: number, colour: string): string {
  const direction = isRightToLeft(content) ? ' direction="rtl"' : "";
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${colour}"${direction} xml:space="preserve">${escaped(content)}</text>`;
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}

export function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
