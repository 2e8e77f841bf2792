import { cellWidth, type Match, printable, type Sentence } from "@stemma/core";
import { withComments } from "@stemma/core/search";
import { formatSentence } from "@stemma/core/treebank";

type Names = readonly (string | undefined)[];

/** Colours of the words of a pattern, in turn. */
const COLORS = [31, 32, 34, 35, 36, 33];

/** The sentence in one line with the words of the match marked: in brackets with their names, or in colours. */
export function matchText(sentence: Sentence, match: Match | undefined, names: Names, color: boolean): string {
  const tokens = sentence.multiWordTokens;
  let text = "";
  for (let i = 1; i <= sentence.length; i++) {
    const token = tokens.find(({ from }) => from === i);
    const last = token?.to ?? i;
    const nodes = match === undefined ? [] : nodesIn(match, i, last);
    const misc = token?.misc ?? sentence.misc(i);
    const space = misc.split("|").includes("SpaceAfter=No") ? "" : " ";
    if (token !== undefined && nodes.length === 0) text += printable(token.form) + space;
    else {
      // A multiword token is shown by its words when one of them is meant.
      for (let word = i; word <= last; word++) {
        const own = nodes.filter((node) => match!.nodes[node] === word);
        text += marked(printable(sentence.form(word)), own, names, color) + (word < last ? " " : space);
      }
    }
    i = last;
  }
  return text.trimEnd();
}

function nodesIn(match: Match, from: number, to: number): number[] {
  return match.nodes.flatMap((word, node) => (word >= from && word <= to ? [node] : []));
}

function marked(form: string, nodes: readonly number[], names: Names, color: boolean): string {
  if (nodes.length === 0) return form;
  const label = nodes.map((node) => (names[node] === undefined ? "" : `=${names[node]}`)).join("");
  if (!color) return `[${form}]${label}`;
  const code = COLORS[nodes[0]! % COLORS.length];
  // Nothing of a form without width could be seen in colour.
  const shown = cellWidth(form) === 0 ? `[${form}]` : form;
  return `\x1b[1;${code}m${shown}\x1b[0m${label === "" ? "" : `\x1b[2m${label}\x1b[0m`}`;
}

/**
 * A match in JSON: its words by name, as in the JSON of the sentence, and all numbers in the order of the
 * pattern.
 */
export function matchJson(sentence: Sentence, match: Match | undefined): object {
  const { id } = sentence;
  const text = sentence.text ?? matchText(sentence, undefined, [], false);
  const common = { ...(id === undefined ? {} : { id }), text };
  if (match === undefined) return common;
  const { words } = JSON.parse(formatSentence(sentence, "json")) as { words: object[] };
  const captures: Record<string, object> = {};
  for (const [name, word] of Object.entries(match.captures)) captures[name] = words[word - 1]!;
  return { ...common, nodes: match.nodes, captures };
}

/**
 * The lines of a sentence with a comment for a match: `# match = verb:3 subject:1`, with numbers for words without
 * names.
 */
export function matchComment(text: string, match: Match, names: Names): string {
  const words = match.nodes.flatMap((word, node) => (word > 0 ? [`${names[node] ?? node + 1}:${word}`] : []));
  return withComments(text, [`# match = ${words.join(" ")}`]);
}
