// A worker of the server that never ends with the token "STUCK", takes its time for "SLOW", fails for "BROKEN", and
// ends when a sentence with more than 200 words reaches the parser.
import { Parser, Pipeline } from "@stemma/core";

const { parseTokens } = Pipeline.prototype;
Pipeline.prototype.parseTokens = function (tokens, options) {
  if (tokens.includes("STUCK")) for (;;);
  if (tokens.includes("SLOW")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
  if (tokens.includes("BROKEN")) throw new Error("the secret of /home/nobody");
  return parseTokens.call(this, tokens, options);
};
const { parse } = Parser.prototype;
Parser.prototype.parse = function (words, options) {
  if (words.length > 200) process.exit(7);
  return parse.call(this, words, options);
};
await import("../../dist/pool/worker.js");
