import { check, STRING } from "../checks/options.js";
import { having } from "../checks/shapes.js";
import { HISTORY } from "../systems/configuration.js";
import type { MoveContext } from "../systems/system.js";
import { WORD_ATTRIBUTES, type WordAttribute } from "./columns.js";

/** Attributes that depend on the configuration. */
export const TREE_ATTRIBUTES = ["label", "lval", "rval", "lset", "rset"] as const;
/** One of `TREE_ATTRIBUTES`. */
export type TreeAttribute = (typeof TREE_ATTRIBUTES)[number];

/** The view of templates on a transition that was applied before. */
export type HistoryAttribute = "move" | "label";

/** A place in a configuration: where to begin, and steps from there through the tree built so far. */
export interface Position {
  readonly name: string;
  readonly base: "s" | "b" | "context";
  readonly index: number;
  readonly path: readonly Step[];
}

/** The ways from a word to another in a template: its head, dependents, neighbours. */
export const STEPS = ["h", "l", "l2", "r", "r2", "p", "n"] as const;
/** One of `STEPS`. */
export type Step = (typeof STEPS)[number];

/**
 * One value in a template: an attribute of a position, the distance between two or how much they are alike, or a
 * transition applied before.
 */
export type Atom =
  | { readonly kind: "word"; readonly position: number; readonly attribute: WordAttribute }
  | { readonly kind: "tree"; readonly position: number; readonly attribute: TreeAttribute }
  | { readonly kind: "distance"; readonly from: number; readonly to: number }
  | { readonly kind: "same"; readonly from: number; readonly to: number }
  | { readonly kind: "history"; readonly index: number; readonly attribute: HistoryAttribute };

/** Feature templates as data. The text they came from goes into the model file. */
export interface TemplateSet {
  /** The templates as they were given. */
  readonly text: string;
  /** The words that the templates look at. */
  readonly positions: readonly Position[];
  /** The values that the templates combine: a column of a word, a label, a distance. */
  readonly atoms: readonly Atom[];
  /** Each template is a list of indices into `atoms`. */
  readonly templates: readonly (readonly number[])[];
  /** For systems in which moves have contexts of their own: where positions begin. */
  readonly context: MoveContext | undefined;
  /** Whether templates that look at something that is not there give a feature all the same, with the value NONE. */
  readonly noneValues: boolean;
}

/** An error in a file of templates, with its line. */
export class TemplateError extends Error {
  /**
   * @param source the name of the file
   * @param line the number of the line, from 1
   * @param what the part that is wrong
   * @param value as it is there
   * @param expected in words
   */
  constructor(source: string, line: number, what: string, value: string, expected: string) {
    super(`${source}:${line}: invalid ${what}: ${value} (expected ${expected})`);
  }
}

/**
 * Reads feature templates. One template a line (several may be separated by semicolons), its values joined by spaces:
 *
 * - `s0.form s0.xpos`: position, dot, attribute
 * - `s0l.label`: steps through the tree: h head, l and r leftmost and rightmost dependent, l2 and r2 the second
 * - `s0n.tag`: steps in the sentence: p the word before, n the word after
 * - `b0.upos dist(s0,b0)`: distance in words, in classes
 * - `same(r0,b0)`: whether the words are the same, one begins as the other does, or only their tags are the same
 * - `t0.move t0.label`: the last transition and its label; t1 the one before, up to t3
 * - `use NONE`, on a line of its own: templates that look at something that is not there give a feature, too
 *
 * Positions begin with s0, s1, … (the stack from the top) or b0, b1, … (the buffer), or with a name of the context of a
 * move. # begins a comment.
 * @param text templates, one on each line
 * @param source the name for errors
 * @param context the names of positions that the system adds
 */
export function parseTemplates(text: string, source = "templates", context?: MoveContext): TemplateSet {
  check("templates", text, STRING);
  check("name of the templates", source, STRING);
  if (context !== undefined) check("context", context, having("a MoveContext", "rename", "fill"));
  const positions: Position[] = [];
  const atoms: Atom[] = [];
  const templates: number[][] = [];
  const positionIndex = new Map<string, number>();
  const atomIndex = new Map<string, number>();
  const seen = new Set<string>();
  let noneValues = false;

  text.split(/\r?\n/).forEach((lineText, i) => {
    const line = i + 1;
    const fail = (what: string, value: string, expected: string): never => {
      throw new TemplateError(source, line, what, value, expected);
    };
    const position = (name: string): number => {
      const known = positionIndex.get(name);
      if (known !== undefined) return known;
      const read = readPosition(name, context) ?? fail("position", name, positionWords(context));
      positionIndex.set(name, positions.length);
      positions.push(read);
      return positions.length - 1;
    };
    for (const part of lineText.replace(/#.*/, "").split(";")) {
      const words = part.trim().split(/\s+/).filter(Boolean);
      if (words.length === 0) continue;
      if (words[0] === "use") {
        if (words.length !== 2 || words[1] !== "NONE") fail("line", words.join(" "), "use NONE");
        noneValues = true;
        continue;
      }
      const template = words.map((word) => {
        const known = atomIndex.get(word);
        if (known !== undefined) return known;
        const pair = /^(dist|same)\(([^,()]+),([^,()]+)\)$/.exec(word);
        let atom: Atom;
        const history = readHistory(word, context);
        if (history) atom = history;
        else if (pair) {
          const kind = pair[1] === "dist" ? "distance" : "same";
          atom = { kind, from: position(pair[2]!), to: position(pair[3]!) };
        } else {
          const dot = word.indexOf(".");
          if (dot < 0) fail("value", word, "position.attribute, dist(position,position) or same(position,position)");
          const attribute = word.slice(dot + 1);
          const at = position(word.slice(0, dot));
          if (WORD_ATTRIBUTES.includes(attribute as WordAttribute)) {
            atom = { kind: "word", position: at, attribute: attribute as WordAttribute };
          } else if (TREE_ATTRIBUTES.includes(attribute as TreeAttribute)) {
            atom = { kind: "tree", position: at, attribute: attribute as TreeAttribute };
          } else fail("attribute", attribute, `one of ${[...WORD_ATTRIBUTES, ...TREE_ATTRIBUTES].join(", ")}`);
        }
        atomIndex.set(word, atoms.length);
        atoms.push(atom!);
        return atoms.length - 1;
      });
      if (template.length > 4) fail("template", words.join(" "), "at most four values");
      const key = [...template].sort((a, b) => a - b).join();
      if (seen.has(key)) fail("template", words.join(" "), "each template once");
      seen.add(key);
      templates.push(template);
    }
  });
  if (templates.length === 0) throw new TemplateError(source, 1, "templates", "none", "at least one template");
  return { text, positions, atoms, templates, context, noneValues };
}

/**
 * A value of a transition that was applied before. Where t0 is a word, as in 2-planar, its label is that of the word.
 */
function readHistory(word: string, context: MoveContext | undefined): Atom | undefined {
  const [, index, attribute] = /^t(\d)\.(move|label)$/.exec(word) ?? [];
  if (index === undefined || Number(index) >= HISTORY) return undefined;
  if (attribute === "label" && context?.names.includes(`t${index}`)) return undefined;
  return { kind: "history", index: Number(index), attribute: attribute as HistoryAttribute };
}

function readPosition(name: string, context: MoveContext | undefined): Position | undefined {
  const start = context ? context.names.find((base) => isPath(name, base)) : /^[sb]\d/.exec(name)?.[0];
  if (start === undefined || !isPath(name, start)) return undefined;
  const path = (name.slice(start.length).match(/h|l2|l|r2|r|p|n/g) ?? []) as Step[];
  if (context) return { name, base: "context", index: context.names.indexOf(start), path };
  return { name, base: start[0] as "s" | "b", index: Number(start[1]), path };
}

/** Whether a name is the name of another position and steps from there. */
function isPath(name: string, start: string): boolean {
  return name.startsWith(start) && /^(?:h|l2|l|r2|r|p|n)*$/.test(name.slice(start.length));
}

function positionWords(context: MoveContext | undefined): string {
  const start = context ? context.names.join(", ") : "s0, s1, … or b0, b1, …";
  return `${start}, then any of ${STEPS.join(", ")}; or t0.move, t0.label, … t${HISTORY - 1}.label`;
}
