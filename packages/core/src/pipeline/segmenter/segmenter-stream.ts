import { check, STRING } from "../../checks/options.js";
import { having } from "../../checks/shapes.js";
import { BreakFinder, WINDOW } from "./characters/paragraphs.js";
import type { RawSentence, Segmenter } from "./segmenter.js";

/** Segments text that comes in pieces of any size: the same sentences as of the whole, in bounded memory. */
export class SegmenterStream {
  private rest = "";
  /** Where `rest` starts in the whole text. */
  private offset = 0;
  private readonly breaks = new BreakFinder();

  /** @param segmenter cuts what is complete */
  constructor(private readonly segmenter: Segmenter) {
    check("segmenter", segmenter, having("a Segmenter", "segment"));
  }

  /**
   * The sentences that are complete with this piece.
   * @param chunk the next piece, of any size
   */
  push(chunk: string): RawSentence[] {
    check("chunk", chunk, STRING);
    // Only the new piece is looked at, so that many small ones take linear time.
    let broken = false;
    for (let i = 0; i < chunk.length; i++) if (this.breaks.next(chunk.charCodeAt(i))) broken = true;
    this.rest += chunk;
    return broken || this.rest.length >= WINDOW ? this.take(false) : [];
  }

  /** The last sentences; the stream may then be used for another text. */
  end(): RawSentence[] {
    const sentences = this.take(true);
    this.breaks.reset();
    this.offset = 0;
    return sentences;
  }

  private take(complete: boolean): RawSentence[] {
    const sentences: RawSentence[] = [];
    const { rest, offset, segmenter } = this;
    let from = 0;
    while (from < rest.length) {
      const to = segmenter.next(rest, from, offset, complete, sentences);
      if (to < 0) break;
      from = to;
    }
    this.rest = rest.slice(from);
    this.offset += from;
    return sentences;
  }
}
