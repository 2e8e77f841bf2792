/**
 * Languages by their letters: which one a text is in, which one a model is for, and whether they fit. Not needed for
 * parsing, and not loaded with it: the table of letters has some 130 kB.
 *
 * @packageDocumentation
 */

export { identifyLanguage, type LanguageGuess } from "./languages/identify.js";
export { type Misfit, misfit } from "./languages/misfit.js";
export type { PipelineModel } from "./pipeline/pipeline-model.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { covers, LANGUAGES } from "./languages/identify.js";
/** @internal */
export { languageOf, nameOfLanguage } from "./languages/misfit.js";
