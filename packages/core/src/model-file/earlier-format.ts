// Files of the formats 2 to 7, which the models in this repository still have: their header and sections as those of
// format 1. It goes when they are trained again.
import type { Section } from "./sections.js";

interface Earlier {
  system?: string;
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
    const vocabulary = own[0] ? 1 + own[0].bytes.reduce((lines, byte) => lines + Number(byte === 10), 0) : 0;
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
    header[name] ??=
      name === "parser" ? parserHeader(part, program) : name === "roles" ? { ...program(name), ...part } : part;
    sections.push(...own);
  }
  return { header: { needs: [...needs], ...header }, sections: [...sections, ...given.slice(at)] };
}

function parserHeader({ system, ...rest }: Earlier, program: (name: string) => object): object {
  const inputs = rest.network?.inputs?.map((input) =>
    input.kind === "encoder" ? { ...input, kind: "contextual" } : input,
  );
  const header = rest.network ? { ...rest, network: { ...rest.network, inputs } } : rest;
  if (system === "graph") return { ...program("graph"), ...header };
  return { ...("joint" in rest ? program("joint-tagging") : {}), system, ...header };
}
