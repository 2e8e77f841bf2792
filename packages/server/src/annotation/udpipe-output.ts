// Sentences as UDPipe writes them: columns that nobody asked for are "_".
import type { Sentence, Token } from "@stemma/core";
import type { OutputName, UdpipeOptions } from "./piece.js";

export function udpipeSentence(sentence: Sentence, to: OutputName, options: UdpipeOptions, place: Place): string {
  const forms = Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1));
  switch (to) {
    case "vertical":
      return `${forms.join("\n")}\n\n`;
    case "horizontal":
      return `${forms.map(unbroken).join(" ")}\n`;
    case "plaintext":
      if (options.normalizedSpaces) return `${sentence.text.replace(/\s+/g, " ")}\n`;
      return sentence.tokens.map(({ spacesBefore, form, spacesAfter }) => spacesBefore + form + spacesAfter).join("");
    default:
      return columns(sentence, options, place);
  }
}

/** Where something is, from where it is in a piece of the text. */
export type Place = (offset: number) => number;

/** Counts characters where others count UTF-16 units; to be asked for places in ascending order. */
export function characterCounter(text: string, before: number): Place {
  let [at, count] = [0, before];
  return (offset) => {
    for (; at < offset; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count++;
    return count;
  };
}

/** A form in a line of forms: spaces within it do not separate. */
export function unbroken(form: string): string {
  return form.replace(/\s/g, "\u00a0");
}

function columns(sentence: Sentence, options: UdpipeOptions, place: Place): string {
  const { tag, parse } = options;
  let out = `# text = ${line(sentence.text)}\n`;
  for (const token of sentence.tokens) {
    const { from, to } = token;
    const misc = miscOf(token, options, place);
    if (to > from) out += `${from}-${to}\t${line(token.form)}\t_\t_\t_\t_\t_\t_\t_\t${misc}\n`;
    for (let i = from; i <= to; i++) {
      const tags = tag
        ? `${line(sentence.lemma(i))}\t${sentence.upos(i)}\t${sentence.xpos(i)}\t${sentence.feats(i)}`
        : "_\t_\t_\t_";
      const tree = parse ? `${sentence.head(i)}\t${sentence.deprel(i)}` : "_\t_";
      out += `${i}\t${line(sentence.form(i))}\t${tags}\t${tree}\t_\t${to > from ? "_" : misc}\n`;
    }
  }
  return `${out}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = { " ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function escaped(spaces: string): string {
  return spaces.replace(/[\s\S]/g, (c) => ESCAPES[c] ?? c);
}

function miscOf(token: Token, options: UdpipeOptions, place: Place): string {
  const { spacesBefore, spacesAfter, start, end } = token;
  const values: string[] = [];
  if (spacesBefore !== "" && !options.normalizedSpaces) values.push(`SpacesBefore=${escaped(spacesBefore)}`);
  if (spacesAfter === "") values.push("SpaceAfter=No");
  else if (spacesAfter !== " " && !options.normalizedSpaces) values.push(`SpacesAfter=${escaped(spacesAfter)}`);
  if (options.ranges) values.push(`TokenRange=${place(start)}:${place(end)}`);
  return values.join("|") || "_";
}

function line(text: string): string {
  return text.replace(/[\t\n\r]+/g, " ");
}
