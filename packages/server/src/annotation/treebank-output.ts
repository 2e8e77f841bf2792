// The output for a sentence of a treebank.

import type { Sentence } from "@stemma/core";
import { type Format, formatSentence, textOf } from "@stemma/core/treebank";
import { jsonMembers } from "./json-members.js";
import type { AnnotatedSentence, AnnotationOptions } from "./piece.js";
import { unbroken } from "./udpipe-output.js";
import { sentenceTable } from "./word-table.js";

export function treebankOutput(
  sentence: Sentence,
  options: AnnotationOptions,
): Pick<AnnotatedSentence, "body" | "table"> {
  if (options.to === "table") return { body: "", table: sentenceTable(sentence) };
  return { body: bodyOf(sentence, options) };
}

function bodyOf(sentence: Sentence, options: AnnotationOptions): string {
  const { to, udpipe } = options;
  switch (to) {
    case "json":
      return jsonMembers(sentence, options.svg);
    case "plaintext":
      return udpipe?.normalizedSpaces ? `${textOf([sentence]).trim()}\n` : textOf([sentence]);
    case "vertical":
      return `${formsOf(sentence).join("\n")}\n\n`;
    case "horizontal":
      return `${formsOf(sentence).map(unbroken).join(" ")}\n`;
    default: {
      const text = formatSentence(sentence, to as Format);
      return options.standalone ? standalone(text) : text;
    }
  }
}

function formsOf(sentence: Sentence): string[] {
  return Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1));
}

/** Line ends as they should be, the blank line after the sentence, no byte order mark before it. */
function standalone(text: string): string {
  const lines = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  let [from, to] = [0, lines.length];
  while (lines[from] === "\n") from++;
  while (to > from && lines[to - 1] === "\n") to--;
  return `${lines.slice(from, to)}\n\n`;
}
