// Scores of arcs as probabilities, for greedy search and beams (after npm run build):
//   node bench/accuracy/calibration.mjs MODEL DEV [--widths 1,8,64] [--limit N]
// Fitted: "model" is what the model file has, most often fitted to the same development data, which is optimistic;
// "halves" is fitted to every second sentence and tested on the others, both ways; "halves, beam B" likewise, but
// fitted with the beam that the model was trained for. ECE: expected calibration error in per cent, in 10 and 15 bins
// of equal width and 15 of equal mass. Tags are those of the file. Speed is by the time of the processor.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Calibration } from "../../packages/core/dist/evaluation.js";
import { loadModel, ParserModel, readTreebank } from "../../packages/core/dist/index.js";
import { fitConfidence } from "../../packages/core/dist/training.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { widths: { type: "string", default: "1,8" }, limit: { type: "string", default: "Infinity" } },
});
const [file, dev] = positionals;
if (dev === undefined) {
  console.error("expected a model and a development treebank");
  process.exit(2);
}
for (const name of [file, dev]) {
  if (existsSync(name)) continue;
  console.log(`${name}: not there, skipped`);
  process.exit(0);
}
const model = (await loadModel(readFileSync(file), file)).parser;
const sentences = readTreebank(readFileSync(dev)).slice(0, Number(values.limit));
const halves = [0, 1].map((half) => sentences.filter((_, i) => i % 2 === half));
const own = model.header.beam ?? 1;
const seconds = () => process.cpuUsage().user / 1e6;

function withConfidence(confidence) {
  return new ParserModel({ ...model.header, confidence }, model.weights);
}

/** Adds the arcs of sentences to a calibration. */
function add(calibration, one, part, beam) {
  const parser = one.createParser({ beam });
  const scores = new Float64Array(1 + Math.max(...part.map(({ length }) => length)));
  for (const sentence of part) {
    const { heads, labels } = parser.parse(sentence, { scores });
    for (let d = 1; d <= sentence.length; d++) {
      calibration.add(scores[d], heads[d] === sentence.heads[d] && labels[d] === sentence.deprel(d));
    }
  }
}

/** Fits to each half with one beam, and tests on the other with another. */
function crossed(fitBeam, testBeam) {
  const calibration = new Calibration();
  halves.forEach((part, i) => {
    const confidence = fitConfidence(model, part, model.createParser({ beam: fitBeam }));
    add(calibration, withConfidence(confidence), halves[1 - i], testBeam);
  });
  return calibration;
}

function speed(beam, options) {
  const parser = model.createParser({ beam });
  for (const sentence of sentences.slice(0, 50)) parser.parse(sentence, options);
  const start = seconds();
  let words = 0;
  for (const sentence of sentences) {
    parser.parse(sentence, options);
    words += sentence.length;
  }
  return words / (seconds() - start);
}

const rows = [["beam", "fitted", "right", "mean", "ECE 10", "ECE 15", "mass 15", "Brier", "AUC"]];
function report(beam, fitted, calibration) {
  const percent = (value) => (100 * value).toFixed(2);
  const { accuracy, meanScore, brier, auc } = calibration;
  const errors = [calibration.expectedError(10, "width"), calibration.expectedError(15, "width")];
  const shares = [accuracy, meanScore, ...errors, calibration.expectedError(15, "mass")].map(percent);
  rows.push([String(beam), fitted, ...shares, brier.toFixed(4), auc.toFixed(4)]);
}

const speeds = [];
for (const beam of values.widths.split(",").map(Number)) {
  const calibration = new Calibration();
  add(calibration, model, sentences, beam);
  report(beam, model.header.confidence?.temperature ? "model" : "not", calibration);
  report(beam, "halves", crossed(beam, beam));
  if (beam !== own) report(beam, `halves, beam ${own}`, crossed(own, beam));
  const scores = new Float64Array(1 + Math.max(...sentences.map(({ length }) => length)));
  const [without, scored] = [speed(beam, {}), speed(beam, { scores })].map((one) => Math.round(one / 100) / 10);
  speeds.push(`beam ${beam}: ${without}k words/s, with scores ${scored}k`);
}
console.log(
  `${sentences.length} sentences; ${model.header.system}${model.network ? ", network" : ""}, trained for beam ${own}`,
);
const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
for (const row of rows) {
  console.log(row.map((cell, i) => (i === 1 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "));
}
for (const line of speeds) console.log(line);
