import type { PipelineModel } from "@stemma/core";
import type { Misfit } from "@stemma/core/languages";
import { warn } from "../terminal/messages.js";

/** Characters of an input after which it is looked at, if it does not end before. */
const ENOUGH = 1000;

/** Warns of texts in languages that the model is not for. */
export class FitCheck {
  private seen = "";
  private isDone = false;
  private documents = 0;
  private first: { source: string; misfit: Misfit } | undefined;

  constructor(private readonly model: PipelineModel) {}

  /** Another input begins. */
  begin(): void {
    this.seen = "";
    this.isDone = false;
  }

  /** Looks at some of the text of an input; says once for each what is wrong with it. */
  async see(source: string, text: string): Promise<void> {
    if (this.isDone) return;
    this.seen += text.slice(0, ENOUGH);
    if (this.seen.length >= ENOUGH) await this.end(source);
  }

  /** The input ends. */
  async end(source: string): Promise<void> {
    if (this.isDone || this.seen === "") return;
    this.isDone = true;
    const found = await this.misfit(this.seen);
    if (found) warn(`${source}: ${found.message} (${ADVICE})`);
  }

  /** Looks at a document: of all that do not fit one line is said, at the end. */
  async seeDocument(source: string, text: string): Promise<void> {
    const found = await this.misfit(text.slice(0, ENOUGH));
    if (!found) return;
    this.documents++;
    this.first ??= { source, misfit: found };
  }

  /** Says how many documents did not fit. */
  report(): void {
    if (!this.first) return;
    const { source, misfit } = this.first;
    const others = this.documents > 1 ? `${this.documents} documents do not fit the model; the first: ` : "";
    warn(`${source}: ${others}${misfit.message} (${ADVICE})`);
  }

  private async misfit(text: string): Promise<Misfit | undefined> {
    // The table of letters is read only where there is a text.
    const { misfit } = await import("@stemma/core/languages");
    return misfit(text, this.model);
  }
}

const ADVICE = "stemma models lists the models; --model auto picks the one that fits";
