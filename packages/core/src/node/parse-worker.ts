// The script of a worker thread that parses for openPool.
import { parentPort } from "node:worker_threads";
import "../parser/graph/provide.js";
import "../parser/roles/provide-beam.js";
import "../parser/tops/provide.js";
import "../scoring/encoder/provide.js";
import { serveParser } from "../workers/serve-parser.js";

const port = parentPort!;
port.on(
  "message",
  serveParser((answer) => port.postMessage(answer)),
);
