/**
 * Models that remove words which are no part of the sentence, and attach them again. `load` brings along what they
 * need; `readModel` is given it: `{ programs: [disfluencies] }`.
 *
 * @packageDocumentation
 */
/** @internal */
export { AttachmentModel } from "./disfluencies/attachment/attachment-model.js";
export { disfluencies } from "./disfluencies/attachment/program.js";
