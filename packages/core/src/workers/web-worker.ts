// The script of a web worker that parses for createWorkerParser.
import { serveParser } from "./serve-parser.js";

/** The part of a worker's global scope that is needed. */
interface Scope {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { data: never }) => void): void;
}

const scope = globalThis as unknown as Scope;
const take = serveParser((answer) => scope.postMessage(answer));
scope.addEventListener("message", ({ data }) => take(data));
