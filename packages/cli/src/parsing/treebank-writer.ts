import type { Output } from "../files/output.js";

/** Writes treebanks one after the other, so that they are one. */
export class TreebankWriter {
  private newFile = false;
  /** The last characters that were written. */
  private ended = "";

  constructor(private readonly out: Output) {}

  /** From now on the output comes from another file. */
  nextFile(): void {
    this.newFile = true;
  }

  /**
   * `keepsLayout`: the text is as it was in its file, which may begin with a byte order mark and end without a blank
   * line.
   */
  async write(text: string, keepsLayout: boolean): Promise<void> {
    if (text === "") return;
    let next = text;
    if (this.newFile && this.ended !== "" && keepsLayout) {
      // The last sentence of a file needs no blank line after it and the first may have a byte order mark, but not in
      // between.
      if (!/\n\r?\n$/.test(this.ended)) await this.out.write(this.ended.endsWith("\n") ? "\n" : "\n\n");
      next = text.replace(/^\ufeff/, "");
    }
    this.newFile = false;
    this.ended = text.slice(-3);
    await this.out.write(next);
  }
}
