// The script of a worker thread that parses for openPool.
import { parentPort } from "node:worker_threads";
import { serveParser } from "../workers/serve-parser.js";

const port = parentPort!;
port.on(
  "message",
  serveParser((answer) => port.postMessage(answer)),
);
