// Time and machines for a corpus of so many words, from measurements (docs/corpora.md):
//   node bench/speed/plan-corpus.mjs [--words 1e9,1e11,1e13] [--rate 12300] [--efficiency 0.88] [--in 5.0] [--packed 2]
//     [--out 16.4] [--cores 16,1000,20000] [--price 0.04] [--part 64] [--memory 0.25]
// rate: words a second of a core; in, packed, out: bytes a word of JSON Lines, gzipped, and of Parquet; price: of a core
// for an hour; part: MB of input in a part; memory: GB of a process.
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    words: { type: "string", default: "1e9,1e11,1e13" },
    rate: { type: "string", default: "12300" },
    efficiency: { type: "string", default: "0.88" },
    in: { type: "string", default: "5.0" },
    packed: { type: "string", default: "2.0" },
    out: { type: "string", default: "16.4" },
    cores: { type: "string", default: "16,1000,20000" },
    price: { type: "string", default: "0.04" },
    part: { type: "string", default: "64" },
    memory: { type: "string", default: "0.25" },
  },
});
const number = (/** @type {keyof typeof values} */ name) => Number(values[name]);
const list = (/** @type {string} */ text) => text.split(",").map(Number);

/** Three digits with a unit. @param {number} value @param {string[]} units @param {number} [step] */
function withUnit(value, units, step = 1000) {
  let unit = 0;
  let rest = value;
  while (rest >= step && unit + 1 < units.length) {
    rest /= step;
    unit++;
  }
  return `${Number(rest.toPrecision(2)).toLocaleString("en")} ${units[unit]}`.trim();
}

const bytes = (/** @type {number} */ value) => withUnit(value, ["B", "kB", "MB", "GB", "TB", "PB"]);
const hours = (/** @type {number} */ value) =>
  value < 48 ? `${value.toPrecision(2)} h` : `${Math.round(value / 24)} d`;
const cores = list(values.cores);

const rows = list(values.words).map((words, i) => {
  const n = cores[Math.min(i, cores.length - 1)];
  const coreHours = words / (number("rate") * number("efficiency")) / 3600;
  const parts = Math.ceil((words * number("in")) / (number("part") * 2 ** 20));
  return [
    withUnit(words, ["", "thousand", "million", "billion"]),
    withUnit(coreHours, ["", "thousand", "million"]),
    n.toLocaleString("en"),
    hours(coreHours / n),
    `${bytes(words * number("in"))} (${bytes(words * number("packed"))})`,
    bytes(words * number("out")),
    parts.toLocaleString("en"),
    `${bytes((words * number("out")) / ((coreHours / n) * 3600))}/s`,
    bytes(n * number("memory") * 1e9),
    `$${withUnit(coreHours * number("price"), ["", "thousand", "million"])}`,
  ];
});
const head = ["words", "core hours", "cores", "time", "in (gzipped)", "out", "parts", "written", "memory", "cost"];
const widths = head.map((title, c) => Math.max(title.length, ...rows.map((row) => row[c].length)));
const line = (/** @type {string[]} */ cells) => `| ${cells.map((cell, c) => cell.padEnd(widths[c])).join(" | ")} |`;
console.log([line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n"));
