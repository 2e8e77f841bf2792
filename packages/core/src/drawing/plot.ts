// Line and scatter plots as SVG, drawn like the trees: text and axes in currentColor, no style element, no ids, no
// background. Series differ in marker and dashes as well as in colour, so that they can be told apart in print.
import { check, checkOptions, type Expectation, STRING, TRUE_OR_FALSE, wholeNumber } from "../checks/options.js";
import { arrayOf, holding, OBJECT } from "../checks/shapes.js";
import { escapeXML, printable, textWidth } from "./characters.js";

/** An axis of a plot. */
export interface PlotAxis {
  readonly label: string;
  /** Logarithmic axis; values that are not above 0 are left out. */
  readonly log?: boolean | undefined;
  /** Where the axis begins and ends; by default determined by the values. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** A point of a plot. */
export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  /** Written beside the marker. */
  readonly label?: string | undefined;
}

/** Points of a plot that belong together. */
export interface PlotSeries {
  readonly name: string;
  readonly points: readonly PlotPoint[];
  /** `line` by default: the points are joined in order. */
  readonly kind?: "line" | "scatter" | undefined;
}

/** A plot: axes and series of points. */
export interface Plot {
  /** Above the plot. */
  readonly title: string;
  /** The horizontal axis. */
  readonly x: PlotAxis;
  /** The vertical axis. */
  readonly y: PlotAxis;
  /** The lines of the plot, each with its name. */
  readonly series: readonly PlotSeries[];
}

/** Options of `plotSVG`. */
export interface PlotOptions {
  /** In pixels. */
  readonly width?: number | undefined;
  /** In pixels. */
  readonly height?: number | undefined;
  /** The font of all texts. */
  readonly fontFamily?: string | undefined;
  /** For a separate file: follow the viewer's light or dark colour scheme instead of the page's text colour. */
  readonly standalone?: boolean | undefined;
}

const PLOT_OPTIONS: Readonly<Record<keyof PlotOptions, Expectation>> = {
  width: wholeNumber(1),
  height: wholeNumber(1),
  fontFamily: STRING,
  standalone: TRUE_OR_FALSE,
};

const FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif";
const TITLE_SIZE = 15;
const TEXT_SIZE = 12;
const MARGIN = 14;
const LEGEND_ROW = 20;
const LEGEND_SAMPLE = 30;
const LEGEND_GAP = 18;
const TICK = 5;
const MARKER = 3.5;
/** Pixels between ticks, at least. */
const TICK_SPACING = { x: 50, y: 32 };

// Of middle lightness, to be readable on white and on black.
const COLOURS = ["#1f8fd6", "#d9660a", "#1a9e6b", "#c455a5", "#a08a00", "#7a6ff0", "#d6453d", "#7d8794"];
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];

/** Markers around the origin, as paths. */
const MARKERS = [
  circle(MARKER),
  `M${-MARKER} ${-MARKER}H${MARKER}V${MARKER}H${-MARKER}Z`,
  `M0 ${-1.3 * MARKER}L${1.2 * MARKER} ${MARKER}H${-1.2 * MARKER}Z`,
  `M0 ${-1.4 * MARKER}L${1.4 * MARKER} 0L0 ${1.4 * MARKER}L${-1.4 * MARKER} 0Z`,
  `M0 ${1.3 * MARKER}L${1.2 * MARKER} ${-MARKER}H${-1.2 * MARKER}Z`,
];

function circle(radius: number): string {
  return `M${-radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

/** An axis with its extent in values and in pixels. */
interface Scale {
  readonly ticks: readonly number[];
  readonly place: (value: number) => number;
}

function scaleOf(axis: PlotAxis, values: readonly number[], from: number, to: number, spacing: number): Scale {
  const usable = values.filter((value) => Number.isFinite(value) && (!axis.log || value > 0));
  let low = axis.min ?? minimum(usable, axis.log ? 1 : 0);
  let high =
    axis.max ??
    -minimum(
      usable.map((value) => -value),
      -1,
    );
  if (axis.log && low <= 0) low = minimum(usable, high > 0 ? high / 10 : 1);
  if (high <= low) [low, high] = axis.log ? [low / 2, low * 2] : [low - 0.5, low + 0.5];
  const count = Math.max(2, Math.floor(Math.abs(to - from) / spacing));
  const ticks = axis.log ? logTicks(low, high, count) : linearTicks(low, high, count, usable.every(Number.isInteger));
  // An end that was not asked for moves out to a tick, when that is near.
  if (!axis.log && ticks.length > 1) {
    const step = ticks[1]! - ticks[0]!;
    if (axis.min === undefined && low < ticks[0]!) ticks.unshift((low = round(ticks[0]! - step)));
    if (axis.max === undefined && high > ticks.at(-1)!) ticks.push((high = round(ticks.at(-1)! + step)));
  }
  const position = axis.log ? Math.log : (value: number) => value;
  const [start, length] = [position(low), position(high) - position(low)];
  return { ticks, place: (value) => from + ((position(value) - start) / length) * (to - from) };
}

function minimum(values: readonly number[], otherwise: number): number {
  let min = Number.POSITIVE_INFINITY;
  for (const value of values) if (value < min) min = value;
  return min === Number.POSITIVE_INFINITY ? otherwise : min;
}

/** With `whole` there are no ticks between whole numbers: there is no epoch 1.5. */
function linearTicks(low: number, high: number, count: number, whole: boolean): number[] {
  const rough = Math.max((high - low) / count, whole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9))! * power;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(round(i * step));
  return ticks;
}

/** Powers of 10, with 2 and 5 between them when there is room. */
function logTicks(low: number, high: number, count: number): number[] {
  const decades = Math.log10(high / low);
  const factors = decades * 3 <= count ? [1, 2, 5] : [1];
  const skip = Math.max(1, Math.ceil(decades / count));
  const ticks: number[] = [];
  for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); exponent++) {
    if (exponent % skip !== 0) continue;
    for (const factor of factors) {
      const tick = round(factor * 10 ** exponent);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push(tick);
    }
  }
  return ticks.length > 0 ? ticks : [low, high];
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** Whole pixels and tenths: the same input gives the same bytes on every machine. */
function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function tickLabel(value: number): string {
  if (value !== 0 && (Math.abs(value) >= 1e7 || Math.abs(value) < 1e-4))
    return value.toExponential().replace("e+", "e");
  return value.toLocaleString("en-US", { maximumFractionDigits: 6 });
}

const SERIES = arrayOf("an array of series with points", holding("", "points"));

/**
 * The plot as an SVG element. Its parts have the classes `axis`, `grid`, `series`, `line`, `marker`, `legend`.
 * @param plot axes and series
 * @param options size and font
 */
export function plotSVG(plot: Plot, options: PlotOptions = {}): string {
  check("series of the plot", plot?.series, SERIES);
  check("x of the plot", plot.x, OBJECT);
  check("y of the plot", plot.y, OBJECT);
  checkOptions("plotSVG", options, PLOT_OPTIONS);
  const { width = 640, height = 420, fontFamily = FONT, standalone } = options;
  const visible = plot.series.map(({ points }) =>
    points.filter(
      ({ x, y }) => Number.isFinite(x) && Number.isFinite(y) && (!plot.x.log || x > 0) && (!plot.y.log || y > 0),
    ),
  );
  const all = visible.flat();

  const legend = legendOf(plot.series, width);
  const top = MARGIN + TITLE_SIZE + 10 + legend.height;
  const bottom = height - MARGIN - 2 * TEXT_SIZE - 14;
  const yValues = all.map(({ y }) => y);
  const y = scaleOf(plot.y, yValues, bottom, top, TICK_SPACING.y);
  const yTicks = y.ticks.map((tick) => [tickLabel(tick), y.place(tick)] as const);
  const labelWidth = Math.ceil(Math.max(0, ...yTicks.map(([text]) => textWidth(text, TEXT_SIZE))));
  const left = MARGIN + TEXT_SIZE + 8 + labelWidth + TICK + 4;
  const right = width - MARGIN - 6;
  const xValues = all.map((point) => point.x);
  const x = scaleOf(plot.x, xValues, left + 8, right - 8, TICK_SPACING.x);

  const lines: string[] = [];
  for (const [text, at] of yTicks) {
    lines.push(
      `<path class="grid" stroke="currentColor" opacity="0.15" d="M${left} ${px(at)}H${right}"/>`,
      `<path stroke="currentColor" d="M${left - TICK} ${px(at)}H${left}"/>`,
      `<text x="${left - TICK - 4}" y="${px(at + 4)}" text-anchor="end">${text}</text>`,
    );
  }
  for (const tick of x.ticks) {
    const at = px(x.place(tick));
    lines.push(
      `<path stroke="currentColor" d="M${at} ${bottom}V${bottom + TICK}"/>`,
      `<text x="${at}" y="${bottom + TICK + TEXT_SIZE + 2}">${tickLabel(tick)}</text>`,
    );
  }
  lines.push(`<path fill="none" stroke="currentColor" d="M${left} ${px(top)}V${bottom}H${right}"/>`);
  const [middleX, middleY] = [px((left + right) / 2), px((top + bottom) / 2)];
  lines.push(
    `<text x="${middleX}" y="${height - MARGIN}">${escapeXML(plot.x.label)}</text>`,
    `<text transform="translate(${MARGIN + TEXT_SIZE - 2} ${middleY})rotate(-90)">${escapeXML(plot.y.label)}</text>`,
  );

  const series = plot.series.map((one, k) => {
    const places = visible[k]!.map((point) => [px(x.place(point.x)), px(y.place(point.y)), point.label] as const);
    const colour = COLOURS[k % COLOURS.length];
    const parts: string[] = [];
    if (one.kind !== "scatter" && places.length > 1) {
      parts.push(linePath(k, `M${places.map(([px, py]) => `${px} ${py}`).join("L")}`));
    }
    for (const [px, py, label] of places) {
      parts.push(markerPath(k, px, py));
      if (label)
        parts.push(`<text x="${Number(px) + 8}" y="${Number(py) + 4}" text-anchor="start">${escapeXML(label)}</text>`);
    }
    return `<g class="series" data-series="${k}" color="${colour}">${parts.join("")}</g>`;
  });

  const scheme = standalone ? ' style="color-scheme:light dark"' : "";
  const description = plot.series.map(({ name }, k) => `${name}: ${visible[k]!.length} points`).join("; ");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `class="stemma-plot" font-family="${escapeXML(fontFamily)}" font-size="${TEXT_SIZE}" text-anchor="middle" ` +
    `fill="currentColor"${scheme} role="img">\n` +
    `<title>${escapeXML(plot.title)}</title>\n` +
    `<desc>${escapeXML(`${plot.y.label} by ${plot.x.label}. ${description}.`)}</desc>\n` +
    `<text x="${width / 2}" y="${MARGIN + TITLE_SIZE - 2}" font-size="${TITLE_SIZE}">${escapeXML(plot.title)}</text>\n` +
    `<g class="legend">${legend.content}</g>\n` +
    `<g class="axis">\n${lines.join("\n")}\n</g>\n${series.join("\n")}\n</svg>\n`
  );
}

function linePath(k: number, d: string): string {
  const dash = DASHES[k % DASHES.length];
  const dashes = dash ? ` stroke-dasharray="${dash}"` : "";
  return `<path class="line" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"${dashes} d="${d}"/>`;
}

function markerPath(k: number, x: string, y: string): string {
  return `<path class="marker" fill="currentColor" transform="translate(${x} ${y})" d="${MARKERS[k % MARKERS.length]}"/>`;
}

/** Rows of samples and names under the title, centred. */
function legendOf(series: readonly PlotSeries[], width: number): { height: number; content: string } {
  const rows: { k: number; at: number }[][] = [];
  const widths = series.map(({ name }) => LEGEND_SAMPLE + 6 + Math.ceil(textWidth(printable(name), TEXT_SIZE)));
  const ends: number[] = [];
  series.forEach((_, k) => {
    const end = ends.at(-1);
    const fits = end !== undefined && end + LEGEND_GAP + widths[k]! <= width - 2 * MARGIN;
    const at = fits ? end + LEGEND_GAP : 0;
    if (!fits) rows.push([]);
    rows.at(-1)!.push({ k, at });
    ends[rows.length - 1] = at + widths[k]!;
  });
  const parts = rows.flatMap((row, r) => {
    const shift = Math.max(MARGIN, (width - ends[r]!) / 2);
    const y = MARGIN + TITLE_SIZE + 10 + r * LEGEND_ROW + 6;
    return row.map(({ k, at }) => {
      const x = shift + at;
      const line = series[k]!.kind === "scatter" ? "" : linePath(k, `M${px(x)} ${y}h${LEGEND_SAMPLE}`);
      return (
        `<g color="${COLOURS[k % COLOURS.length]}">${line}${markerPath(k, px(x + LEGEND_SAMPLE / 2), String(y))}</g>` +
        `<text x="${px(x + LEGEND_SAMPLE + 6)}" y="${y + 4}" text-anchor="start">${escapeXML(series[k]!.name)}</text>`
      );
    });
  });
  return { height: rows.length * LEGEND_ROW + 6, content: parts.join("") };
}
