import type { IncomingMessage, ServerResponse } from "node:http";
import type { HandlerOptions, ServedModels, ServerOptions } from "./options.js";
import { StemmaServer } from "./server.js";
import { Service } from "./service.js";

/** Answers requests of `node:http`, by itself or mounted in a framework. */
export interface Handler {
  (request: IncomingMessage, response: ServerResponse): void;
  /**
   * Takes other models into use: requests that come from now on are done with them, those that are under way with the
   * old ones. Where they cannot be loaded the log says so, and the old ones stay.
   */
  reload(load: () => ServedModels | Promise<ServedModels>): Promise<void>;
  /** Ends the workers: what is under way fails, so the server that it is mounted in is closed before. */
  close(): Promise<void>;
}

/**
 * A handler that parses; resolves when its workers are ready.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import model from "@stemma/model-en";
 * import { createHandler } from "@stemma/server";
 *
 * const handler = await createHandler({ models: { en: model }, prefix: "/stemma" });
 * createServer(handler).listen(8080); // POST http://localhost:8080/stemma/v1/parse
 * ```
 */
export async function createHandler(options: HandlerOptions): Promise<Handler> {
  const service = await Service.start(options);
  await service.ready();
  const handler = (request: IncomingMessage, response: ServerResponse) => void service.serve(request, response);
  return Object.assign(handler, {
    reload: (load: () => ServedModels | Promise<ServedModels>) => service.reload(load),
    close: () => service.close(),
  });
}

/**
 * A server with limits for connections, and an end that finishes what was accepted: what `stemma serve` runs. Its
 * `listen` resolves when the workers are ready.
 */
export async function createServer(options: ServerOptions): Promise<StemmaServer> {
  return new StemmaServer(await Service.start(options), options);
}
