/**
 * Languages by their letters: which one a text is in, which one a model is for, and whether they fit. Not needed for
 * parsing, and not loaded with it: the table of letters has some 130 kB.
 *
 * @packageDocumentation
 */

/** @internal */
export { covers, identifyLanguage, LANGUAGES, type LanguageGuess, type LanguageOptions } from "./languages/identify.js";
/** @internal */
export { languageOf, type Misfit, type ModelOrigin, misfit, nameOfLanguage } from "./languages/misfit.js";
