import type { PipelineModel } from "@stemma/core";
import { type Format, TreebankError, TreebankReader } from "@stemma/core/treebank";
import type { TextFormat } from "@stemma/server/annotation";
import { FileError } from "../files/io.js";
import { warn } from "../terminal/messages.js";

/** Says what a model lacks for what it is given. */
export class ModelParts {
  private isWarned = false;

  constructor(
    private readonly model: PipelineModel,
    private readonly path: string | undefined,
  ) {}

  /** Throws if the model cannot cut a text; warns if it does not tag words. */
  checkText(from: TextFormat): void {
    const refused = from !== "tokens" && this.model.refusal("text");
    if (refused)
      throw new FileError(
        `${this.path}: ${refused}; --from tokens accepts words separated by spaces, --from conllu a treebank`,
      );
    if (!this.model.tagger) this.warnOfTags();
  }

  /** Warns if words of a treebank have no tags and the model gives them none. */
  checkTreebank(bytes: Uint8Array, format: Format): void {
    if (!this.model.tagger && !this.isWarned && lacksTags(bytes, format)) this.warnOfTags();
  }

  /** Once: parsers that have learned from tags are lost without. */
  private warnOfTags(): void {
    if (this.isWarned) return;
    this.isWarned = true;
    warn(
      `${this.path}: untagged words are parsed badly, because the model has no tagger (train one with stemma train --pipeline)`,
    );
  }
}

/** Whether no word of the first sentence has a tag. */
function lacksTags(bytes: Uint8Array, format: Format): boolean {
  const reader = new TreebankReader({ format, allowNonTrees: true });
  for (const sentence of [...reader.push(bytes), ...reader.end()]) {
    if (sentence instanceof TreebankError) continue;
    for (let i = 1; i <= sentence.length; i++) if (sentence.upos(i) !== "_" || sentence.xpos(i) !== "_") return false;
    return true;
  }
  return false;
}
