// A worker of the server that ends when it meets the token "FATAL", and takes its time for "SLOW".
import { Pipeline } from "@stemma/core";

const { parseTokens } = Pipeline.prototype;
Pipeline.prototype.parseTokens = function (tokens, options) {
  if (tokens.includes("FATAL")) process.exit(7);
  if (tokens.includes("SLOW")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
  return parseTokens.call(this, tokens, options);
};
await import("../../dist/pool/worker.js");
