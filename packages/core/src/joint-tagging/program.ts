import type { Program } from "../storage/part.js";
import { jointCodec } from "./joint-model.js";

/** What models need that choose tags, or whole analyses, together with the tree. */
export const jointTagging: Program = { name: "joint-tagging", codecs: [jointCodec] };
