// Dependency trees over HTTP: a handler for node:http and the frameworks on top of it, and a server of its own.
export { LOG_FORMATS, type LogFormat, type LogTarget } from "./http/log.js";
export { createHandler, createServer, type Handler } from "./service/create.js";
export type { HandlerOptions, ServedModel, ServedModels, ServerOptions } from "./service/options.js";
export type { Place, StemmaServer } from "./service/server.js";
