import { type Drawable, latexDocument, toLatex, toStackedSVG, toSVG, toText } from "@stemma/core";
import { FORMATS } from "@stemma/core/treebank";
import type { AnnotatedSentence } from "@stemma/server/annotation";
import { conlluOf, jsonOf } from "@stemma/server/annotation";
import { PARSED_FORMATS } from "../documents/document-writer.js";
import type { Output } from "../files/output.js";
import { type Color, usesColor } from "../terminal/color.js";
import { drawn } from "./drawn.js";

/** The output of `stemma parse`. */
export const OUTPUT_FORMATS = [...FORMATS, ...PARSED_FORMATS, "tree", "svg", "latex"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/**
 * Writes the trees of texts as they come, or all at once where the format has something before the first that depends
 * on the last.
 */
export class TextWriter {
  private readonly drawings: Drawable[] = [];
  private to: OutputFormat = "conllu";
  private count = 0;

  constructor(
    private readonly out: Output,
    /** Whether the output is a terminal. */
    readonly terminal: boolean,
    private readonly color: Color,
  ) {}

  /** `document`: the name of the document that begins with the sentence. */
  async write(sentence: AnnotatedSentence, to: OutputFormat, document?: string | undefined): Promise<void> {
    if (sentence.rank === 1) this.count++;
    this.to = to;
    if (to === "conllu") {
      const before = document === undefined ? "" : `# newdoc id = ${document}\n`;
      await this.out.write(before + conlluOf(sentence, this.count));
    } else if (to === "json") await this.out.write(`${jsonOf(sentence, this.count)}\n`);
    else if (to === "tree") {
      const first = this.count === 1 && sentence.rank === 1;
      const color = usesColor(this.color, this.terminal);
      const picture = drawn(this.count, () => toText(sentence.drawing!, { color }));
      await this.out.write(`${first ? "" : "\n"}${picture}`, color);
    } else this.drawings.push(sentence.drawing!);
  }

  async finish(): Promise<void> {
    const { to, drawings, out } = this;
    if (to === "latex") await out.write(latexDocument(drawings.map((tree) => toLatex(tree))));
    else if (to === "svg" && drawings.length === 1) await out.write(toSVG(drawings[0]!, { standalone: true }));
    else if (to === "svg") await out.write(toStackedSVG(drawings, { standalone: true }));
  }
}
