// Files of the formats 2 to 7, which the models in this repository still have: their header and sections as those of
// format 1. It goes when they are trained again.
import type { Section } from "./sections.js";

interface Earlier {
  probe?: object;
  network?: { inputs?: { kind?: string }[] };
}

const PART_NAMES = ["segmenter", "tagger", "lemmatizer", "parser", "roles"];
const GUESSERS: Readonly<Record<string, string>> = { segmenter: "endGuesser", tagger: "tagGuesser" };

export function fromEarlierFormat(
  earlier: Readonly<Record<string, unknown>>,
  given: readonly Section[],
): { header: Record<string, unknown>; sections: Section[] } {
  const header: Record<string, unknown> = {};
  const needs = new Set<string>();
  const sections: Section[] = [];
  let at = 0;
  const take = (count: number) => given.slice(at, (at += count));
  const program = (name: string) => {
    needs.add(name);
    return { program: name };
  };
  if (earlier.encoder) {
    const own = take(3);
    const vocabulary = own[0] ? new TextDecoder().decode(own[0].bytes).split("\n").length : 0;
    header.contextual = { ...program("encoder"), ...earlier.encoder, vocabulary };
    sections.push(...own);
  }
  for (const name of PART_NAMES) {
    if (earlier[name] === undefined) continue;
    const part = earlier[name] as Earlier;
    const own = take(3);
    const guesser = GUESSERS[name];
    if (part?.probe && guesser !== undefined) {
      header[guesser] = { ...program("encoder"), ...part.probe };
      sections.push(...take(2));
      const { probe: _, ...rest } = part;
      header[name] = rest;
    } else if (part?.probe) own.push(...take(2));
    for (const input of part?.network?.inputs ?? []) if (input.kind === "encoder") input.kind = "contextual";
    header[name] ??= name === "roles" ? { ...program(name), ...part } : part;
    sections.push(...own);
  }
  return { header: { needs: [...needs], ...header }, sections: [...sections, ...given.slice(at)] };
}
