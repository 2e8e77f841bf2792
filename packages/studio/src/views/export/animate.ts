import type { Derivation } from "../../protocol/derivation.js";
import { imageOf, nameOf, save } from "../../state/export/export.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { framesOf } from "./frames.js";
import { GifWriter } from "./gif.js";
import { zip } from "./zip.js";

/** In hundredths of a second; the last picture stays longer. */
const EACH = 90;
const LAST = 300;
/** Wider pictures are made smaller. */
const WIDEST = 1600;
/** Longer animations would be too large to be sent around. */
const MOST_FRAMES = 250;

/** Saves each step as an SVG file, all in one ZIP archive. */
export function saveFrames(derivation: Derivation, sentence: ShownSentence): void {
  const { count, frame } = framesOf(derivation, sentence);
  const digits = String(count - 1).length;
  const files = Array.from({ length: count }, (_, step) => {
    return [`step-${String(step).padStart(digits, "0")}.svg`, frame(step)] as const;
  });
  save(new Blob([zip(files)], { type: "application/zip" }), `${nameOf(sentence)}-steps.zip`);
}

/** Saves the derivation as an animated GIF. `progress` is told how far it is, from 0 to 1. */
export async function saveAnimation(
  derivation: Derivation,
  sentence: ShownSentence,
  progress: (done: number) => void,
): Promise<void> {
  const { width, height, count, frame } = framesOf(derivation, sentence);
  if (count > MOST_FRAMES) {
    throw new RangeError(`this derivation has ${count - 1} steps (an animation has at most ${MOST_FRAMES - 1})`);
  }
  const scale = Math.min(1, WIDEST / width);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(scale * width);
  canvas.height = Math.round(scale * height);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  const pixelsOf = async (step: number) => {
    context.drawImage(await imageOf(frame(step)), 0, 0, canvas.width, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  // The end has all arcs, what comes before it new ones in another colour.
  const samples = [await pixelsOf(count - 1), await pixelsOf(Math.floor(count / 2)), await pixelsOf(0)];
  const gif = new GifWriter(canvas.width, canvas.height, samples);
  for (let step = 0; step < count; step++) {
    gif.add(await pixelsOf(step), step === count - 1 ? LAST : EACH);
    progress((step + 1) / count);
    // The page goes on meanwhile.
    await new Promise((resolve) => setTimeout(resolve));
  }
  save(new Blob([gif.end()], { type: "image/gif" }), `${nameOf(sentence)}.gif`);
}
