import { type Drawable, Sentence, toLatex, toSVG } from "@stemma/core";
import { withoutScore, withRemoval, withTree } from "@stemma/core/treebank";
import type { Tree } from "../../protocol/sentence.js";
import { isRightToLeft } from "../shown/direction.js";
import type { ShownSentence } from "../shown/sentence.js";

export const EXPORTS = ["SVG", "PNG", "CoNLL-U", "LaTeX"] as const;
export type ExportFormat = (typeof EXPORTS)[number];

/** Pixels of a PNG for each pixel of the drawing. */
const PNG_SCALE = 3;

function drawable(sentence: ShownSentence, { heads, labels }: Tree, ofModel: boolean): Drawable {
  return { ...sentence.tagged.drawable(), heads, labels, predicates: sentence.predicates(ofModel) };
}

/**
 * The sentence with the tree as CoNLL-U, and with the predicates and removed words of the model if the tree is its own;
 * comments, multiword tokens and the other columns stay as they were.
 */
export function toConllu(sentence: ShownSentence, tree: Tree, ofModel: boolean): string {
  const copy = withArcs(Sentence.from(sentence.given.toJSON(), { allowNonTrees: true }), tree);
  if (ofModel && sentence.removed) {
    for (let d = 1; d <= copy.length; d++) copy.set("misc", d, withRemoval(copy.misc(d), sentence.removed[d]!));
  }
  if (ofModel && sentence.predictedPredicates) copy.setPredicates(sentence.predictedPredicates);
  return copy.toString();
}

/** The sentence with another tree; what was known of arcs that are no longer there goes. */
export function withArcs(sentence: Sentence, { heads, labels }: Tree): Sentence {
  const changed = withTree(sentence, heads, labels);
  for (let d = 1; d <= sentence.length; d++) {
    if (sentence.head(d) === heads[d]! && sentence.deprel(d) === labels[d]!) continue;
    // How sure the parser was of another arc.
    changed.set("misc", d, withoutScore(changed.misc(d)));
  }
  return changed;
}

/** The name of a file: that of the sentence, as far as file names allow it. */
export function nameOf({ id }: ShownSentence): string {
  return id?.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^[._]+/, "") || "tree";
}

export async function exportTree(
  sentence: ShownSentence,
  tree: Tree,
  ofModel: boolean,
  format: ExportFormat,
): Promise<void> {
  const direction = isRightToLeft(sentence.forms.join(" ")) ? "rtl" : "ltr";
  const picture = drawable(sentence, tree, ofModel);
  const name = nameOf(sentence);
  if (format === "SVG")
    save(new Blob([toSVG(picture, { direction, standalone: true })], { type: "image/svg+xml" }), `${name}.svg`);
  else if (format === "LaTeX")
    save(new Blob([toLatex(picture, { direction })], { type: "application/x-tex" }), `${name}.tex`);
  else if (format === "CoNLL-U")
    save(new Blob([toConllu(sentence, tree, ofModel)], { type: "text/plain" }), `${name}.conllu`);
  else save(await imageToPNG(toSVG(picture, { direction })), `${name}.png`);
}

/** An SVG document as a picture that can be drawn. */
export async function imageOf(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
  } finally {
    URL.revokeObjectURL(url);
  }
  return image;
}

/** A picture of an SVG document, on white where it is transparent. */
export async function imageToPNG(svg: string): Promise<Blob> {
  const image = await imageOf(svg);
  const canvas = document.createElement("canvas");
  // Canvases of more than about 16,000 pixels stay empty in some browsers.
  const scale = Math.min(PNG_SCALE, 16_000 / image.naturalWidth);
  canvas.width = Math.round(scale * image.naturalWidth);
  canvas.height = Math.round(scale * image.naturalHeight);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("cannot make a PNG of this size"))), "image/png"),
  );
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
