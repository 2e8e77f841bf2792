// Everything that looks at what a stranger wrote takes time in proportion to its length. What takes the square of it is
// not done with these texts before the tests are given up.
import { Pipeline, readModel, readTreebank, SentenceTooLong, toLatex, toSVG, toText } from "@stemma/core";
import { TreebankError, textOf } from "@stemma/core/treebank";
import { describe, expect, it } from "vitest";
import { toyPipelineFile } from "../../../core/test/toy-pipeline-file.js";
import { parseMultipart, parseUrlEncoded } from "../../../server/src/http/form.js";
import { codingFor, negotiator, parameterized } from "../../../server/src/http/headers.js";
import { Problem } from "../../../server/src/http/problem.js";
import { TextCutter } from "../../../server/src/routes/cutter.js";
import { normalized } from "../../../server/src/routes/nfc.js";
import { parseJson, textInputs } from "../../../server/src/routes/parse-request.js";
import { udpipeRequest } from "../../../server/src/routes/udpipe-request.js";
import { sniffed } from "../../src/documents/inputs.js";
import { TextBatcher } from "../../src/workers/text-batcher.js";

const SIZE = 1 << 16;
const UNITS = [
  " ",
  "\t",
  "\n",
  "\r\n",
  "\n ",
  "a",
  "a ",
  '"',
  "\\",
  ";",
  "; ",
  ";a=",
  ',"',
  "#",
  ".",
  ".'",
  "\u0301",
  "\u2028",
  "[",
  "{",
  "&",
  "%",
  "%41",
  "-",
  "|",
  "1",
  "1\t",
  "_\t",
  "漢",
  "😀",
  "\u0085",
  "\ufeff",
];
/** Texts that make a pattern begin, or not end, at the stretch between them. */
const ENDS = [
  ["", ""],
  ["a", "b"],
  [";a=", "="],
  ['"', "x"],
  ["# text = ", "\n"],
] as const;

function* texts(): Generator<string> {
  for (const unit of UNITS) {
    for (const [before, after] of ENDS) yield before + unit.repeat(Math.ceil(SIZE / unit.length)) + after;
  }
}

/** Runs something that may refuse what it is given, but in no other way. */
async function allowed(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Problem || error instanceof TreebankError || error instanceof SentenceTooLong) return;
    throw error;
  }
}

async function drained(inputs: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  for await (const _ of inputs);
}

const answerType = negotiator({ json: ["application/json"], conllu: ["text/x-conllu"] });
const pipeline = new Pipeline(readModel(toyPipelineFile()));
const drawing = (text: string) => ({ forms: ["", text, "b"], heads: [-1, 2, 0], labels: ["", text, "root"] });
const column = (text: string) => text.replaceAll(/[\t\n\r]/g, " ") || "_";

const READERS: Record<string, (text: string) => unknown> = {
  "headers with parameters": (text) => parameterized(text),
  Accept: (text) => answerType(text),
  "Accept-Encoding": (text) => codingFor(text),
  "forms in addresses": (text) => parseUrlEncoded(Buffer.from(text), "query"),
  "multipart forms": (text) =>
    parseMultipart(Buffer.from(`--x\r\n${text.slice(0, 1500)}\r\n\r\n${text}\r\n--x--`), "x"),
  "heads of parts of forms": (text) =>
    parseMultipart(Buffer.from(`--x\r\nContent-Disposition: form-data; name="a"; ${text}\r\n\r\n\r\n--x--`), "x"),
  normalization: (text) => normalized(text, "data"),
  "JSON texts": async (text) => drained((await parseJson(Buffer.from(JSON.stringify({ text })), 100)).inputs),
  "JSON sentences": async (text) =>
    drained((await parseJson(Buffer.from(JSON.stringify({ sentences: [text] })), 100)).inputs),
  "what is no JSON": (text) => parseJson(Buffer.from(`{"tokens":[${text}`), 100),
  "cut text": (text) => drained(textInputs(text, "text")),
  "cut lines": (text) => drained(textInputs(text, "lines")),
  "lines of tokens": (text) => drained(textInputs(text, "tokens")),
  "text in small parts": (text) => {
    const cutter = new TextCutter("text");
    for (let at = 0; at < text.length; at += 4096) for (const _ of cutter.push(text.slice(at, at + 4096)));
  },
  "batches of text": (text) => drained(new TextBatcher("text").push(text)),
  "the kind of an input": (text) => sniffed(text),
  "horizontal sentences": async (text) =>
    drained(
      (
        await udpipeRequest(
          new Map([
            ["data", text],
            ["input", "horizontal"],
          ]),
          100,
        )
      ).inputs,
    ),
  "vertical sentences": async (text) =>
    drained(
      (
        await udpipeRequest(
          new Map([
            ["data", text],
            ["input", "vertical"],
          ]),
          100,
        )
      ).inputs,
    ),
  CoNLL: (text) => readTreebank(text),
  "columns of CoNLL-U": (text) =>
    textOf(readTreebank(`# text = ${column(text)}\n1\t${column(text)}\t_\t_\t_\t_\t0\troot\t_\t${column(text)}\n\n`)),
  "text for the pipeline": (text) =>
    drained(pipeline.parse(text.slice(0, 1 << 12), { tooLong: "throw", maxWords: 200 })),
  "lines for the pipeline": (text) =>
    drained(pipeline.parse(text.slice(0, 1 << 12), { tooLong: "throw", maxWords: 200, input: "lines" })),
  "tokens for the pipeline": (text) =>
    pipeline.parseTokens([text.slice(0, 1 << 13)], { tooLong: "throw", maxWords: 200 }),
  "drawings as text": (text) => toText(drawing(text)),
  "drawings as SVG": (text) => toSVG(drawing(text.slice(0, 1 << 13))),
  "drawings for LaTeX": (text) => toLatex(drawing(text.slice(0, 1 << 13))),
};

describe("what strangers write", () => {
  it.each(Object.keys(READERS))(
    "is read in time that grows with its length: %s",
    async (name) => {
      let count = 0;
      for (const text of texts()) {
        await allowed(() => READERS[name]!(text));
        count++;
      }
      expect(count).toBe(UNITS.length * ENDS.length);
    },
    60_000,
  );
});
