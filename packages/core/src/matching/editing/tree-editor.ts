import { check, STRING } from "../../checks/options.js";
import { arrayOf, OBJECT, SENTENCE } from "../../checks/shapes.js";
import { TreebankError } from "../../treebank/errors.js";
import { CONLLU, columnName } from "../../treebank/formats/layout.js";
import { readTreebank } from "../../treebank/formats/reader.js";
import type { Sentence } from "../../treebank/sentence/sentence.js";
import { surfaceText } from "../../treebank/sentence/spaces.js";
import { findCycle } from "../../treebank/tree.js";
import { sortedArcs } from "../../treebank/validation/repair.js";
import type { Attribute } from "../attributes.js";
import type { Pattern } from "../language/pattern.js";
import { PatternError } from "../language/pattern-error.js";
import { MatchValue } from "../match-value.js";
import { sentenceValue } from "../matchable-sentence.js";
import { type Match, Matcher, TOO_MANY, TooManyMatches } from "../matcher.js";
import { withComments, withoutWords, withTextComment, withWholeGraph } from "./sentence-text.js";

/**
 * An action to apply to every match. Words are given by their names in the pattern, or by "" for the first; in values
 * and comments `{name.attribute}` stands for a value of the match, as it was before anything was changed.
 */
export type EditAction =
  /** Sets a column, a feature or an item of MISC; "" removes it. */
  | { readonly set: string; readonly to: string }
  /** Attaches a word to another head: a word, or "root". */
  | { readonly attach: string; readonly to: string }
  /** Deletes a word and attaches its dependents to its head, or deletes its whole subtree. */
  | { readonly delete: string; readonly subtree?: boolean | undefined }
  /** Adds a comment line. */
  | { readonly comment: string };

/** The result of an edit. */
export interface Edited {
  /** The sentence after the edit. */
  readonly sentence: Sentence;
  /** How often the pattern matched. */
  readonly matches: number;
  /** Whether anything is other than before. */
  readonly isChanged: boolean;
}

type Template = (match: Match<Sentence>) => string;
type CompiledAction =
  | { kind: "set"; node: number; attribute: Attribute & { kind: "column" }; value: Template }
  | { kind: "attach"; node: number; head: number }
  | { kind: "delete"; node: number; subtree: boolean }
  | { kind: "comment"; text: Template };

const ROOT = -1;

const ACTIONS = arrayOf("an array of actions: {set, to}, {attach, to}, {delete} or {comment}", {
  expected: "",
  accepts: (value) => {
    if (!OBJECT.accepts(value)) return false;
    const { set, attach, to, delete: word, comment, subtree } = value as Record<string, unknown>;
    const texts = set !== undefined ? [set, to] : attach !== undefined ? [attach, to] : [word ?? comment];
    return texts.every((text) => typeof text === "string") && (subtree === undefined || typeof subtree === "boolean");
  },
});

/**
 * Changes sentences wherever a pattern matches.
 *
 * @example
 * ```ts
 * import { TreeEditor } from "@stemma/core/search";
 * import { readTreebank } from "@stemma/core/treebank";
 *
 * const conllu = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
 * const editor = new TreeEditor("{upos:PRON}=word", [{ set: "word.lemma", to: "she" }]);
 * for (const sentence of readTreebank(conllu)) console.log(editor.edit(sentence).sentence.toString());
 * ```
 */
export class TreeEditor {
  private readonly matcher: Matcher;
  private readonly actions: readonly CompiledAction[];

  /**
   * Throws a PatternError if the pattern or an action is wrong.
   * @param pattern as text, or as `parsePattern` gives it
   * @param actions what is done where it matches, in their order
   */
  constructor(pattern: string | Pattern, actions: readonly EditAction[]) {
    this.matcher = new Matcher(pattern);
    check("actions", actions, ACTIONS);
    this.actions = actions.map((action) => this.compile(action));
  }

  /**
   * Finds all matches, then applies all actions. Everything else keeps its bytes. Throws a TreebankError, and changes
   * nothing, if the result would not be a tree or two matches call for conflicting changes.
   * @param sentence the sentence to change
   * @param source the name for errors
   */
  edit(sentence: Sentence, source = "input"): Edited {
    check("sentence", sentence, SENTENCE);
    check("source", source, STRING);
    const matches = this.matchesOf(sentence, source);
    if (matches.length === 0) return { sentence, matches: 0, isChanged: false };
    return new SentenceEdit(sentence, source, this.actions, matches).run();
  }

  private matchesOf(sentence: Sentence, source: string): Match<Sentence>[] {
    try {
      return this.matcher.match(sentence);
    } catch (error) {
      if (!(error instanceof TooManyMatches)) throw error;
      throw new TreebankError(source, { ...TOO_MANY, line: sentence.line });
    }
  }

  private compile(action: EditAction): CompiledAction {
    const { names } = this.matcher;
    if ("set" in action) {
      const { node, attribute, name } = new MatchValue(action.set, names);
      if (node < 0 || attribute?.kind !== "column") {
        throw new PatternError(
          `${name} cannot be set: expected a column, a feature or misc.NAME (attach sets the head)`,
        );
      }
      if (/[\t\n\r]/.test(action.to))
        throw new PatternError(`invalid value of ${action.set}: it contains a tab or a line end`);
      if (name === "form" && action.to === "") throw new PatternError("invalid value of form: expected some text");
      if (attribute.key !== undefined && action.to.includes("|")) {
        throw new PatternError(`invalid value of ${action.set}: ${action.to} (expected no |, which separates items)`);
      }
      return { kind: "set", node, attribute, value: this.template(action.to) };
    }
    if ("attach" in action) {
      const head = action.to === "root" || action.to === "0" ? ROOT : this.node(action.to);
      return { kind: "attach", node: this.node(action.attach), head };
    }
    if ("delete" in action) return { kind: "delete", node: this.node(action.delete), subtree: action.subtree === true };
    if (/[\n\r]/.test(action.comment)) throw new PatternError("invalid comment: it contains a line end");
    return { kind: "comment", text: this.template(action.comment) };
  }

  private node(name: string): number {
    const { names } = this.matcher;
    const node = name === "" && names.length > 0 ? 0 : names.indexOf(name);
    if (node >= 0) return node;
    const known = names.filter((other) => other !== undefined).join(", ") || "none: write {…}=name in the pattern";
    throw new PatternError(`unknown name ${name}: expected one of ${known}`);
  }

  private template(text: string): Template {
    const parts = text.split(/\{([^{}]*)\}/);
    const values = parts.map((part, i) => (i % 2 === 1 ? new MatchValue(part, this.matcher.names) : part));
    if (values.length === 1) return () => text;
    return (match) => values.map((part) => (typeof part === "string" ? part : (part.of(match) ?? "_"))).join("");
  }
}

/** The changes to one sentence: collected, checked, made. */
class SentenceEdit {
  private readonly heads: Int32Array;
  /** By word and attribute: what it becomes. */
  private readonly values = new Map<
    string,
    { word: number; attribute: Attribute & { kind: "column" }; value: string }
  >();
  private readonly attached = new Map<number, number>();
  private readonly deleted = new Set<number>();
  private readonly comments: string[] = [];

  constructor(
    private readonly sentence: Sentence,
    private readonly source: string,
    private readonly actions: readonly CompiledAction[],
    private readonly matches: readonly Match<Sentence>[],
  ) {
    this.heads = Int32Array.from(sentence.heads);
  }

  run(): Edited {
    const { sentence, matches } = this;
    const roots = this.roots();
    for (const match of matches) for (const action of this.actions) this.collect(action, match);
    this.checkTree();
    for (const match of matches) for (const action of this.actions) this.collectDeletions(action, match);
    this.liftOverDeleted();
    if (this.roots() > 1 && this.roots() > roots) {
      const word = this.heads.findIndex((head, i) => head === 0 && i > 0 && sentence.heads[i] !== 0);
      this.fail(Math.max(word, 1), sentence.layout.head, "0", "a single root: the edit would make several");
    }
    const before = sentence.toString();
    const text = sentenceValue(sentence, "text");
    // Runs of spaces are as good as one.
    const followsText = text?.replace(/\s+/g, " ") === surfaceText(sentence);
    const labels = Array.from({ length: sentence.length + 1 }, (_, i) => (i === 0 ? "" : sentence.deprel(i)));
    for (const { word, attribute, value } of this.values.values()) this.set(word, attribute, value);
    let isMoved = false;
    for (let i = 1; i <= sentence.length; i++) {
      if (this.deleted.has(i)) continue;
      if (this.heads[i] !== sentence.heads[i] || labels[i] !== sentence.deprel(i)) isMoved = true;
      this.move(i, labels[i]!);
    }
    const edited = this.rewritten(followsText, isMoved);
    return { sentence: edited, matches: matches.length, isChanged: edited.toString() !== before };
  }

  /** Gives a word its new head; its label, and the arc in DEPS, follow unless they are set. */
  private move(word: number, label: string): void {
    const { sentence, values } = this;
    const [from, to] = [sentence.heads[word]!, this.heads[word]!];
    if (from !== to) {
      sentence.setHead(word, to);
      // Only the root is labelled so.
      const isRoot = isRootLabel(sentence.deprel(word));
      const isScheme = [...sentence.heads.keys()].some((i) => i > 0 && isRootLabel(sentence.deprel(i)));
      if (!values.has(`${word} deprel`) && isScheme && isRoot !== (to === 0)) {
        sentence.setDeprel(word, to === 0 ? "root" : "parataxis");
      }
    }
    const now = sentence.deprel(word);
    const deps = sentence.deps(word);
    if (deps === "_" || values.has(`${word} deps`) || (from === to && label === now)) return;
    // The arc of the tree, which may say more in DEPS than in the tree: obl:in for obl.
    const arcs = deps.split("|");
    const at = Math.max(
      arcs.indexOf(`${from}:${label}`),
      from === to ? -1 : arcs.findIndex((arc) => arc.startsWith(`${from}:${label}:`)),
    );
    if (at < 0) return;
    const rest = label === now ? arcs[at]!.slice(arcs[at]!.indexOf(":") + 1) : now;
    arcs[at] = `${to}:${rest}`;
    sentence.set("deps", word, sortedArcs(arcs.join("|")));
  }

  private fail(word: number, column: number, value: string, expected: string): never {
    const { sentence, source } = this;
    const line = sentence.lineOf(word);
    const what = columnName(sentence.layout, column);
    throw new TreebankError(source, { what, value, expected, line, column: column + 1 });
  }

  private collect(action: CompiledAction, match: Match<Sentence>): void {
    const { layout } = this.sentence;
    if (action.kind === "comment") {
      this.needConllu("a comment");
      this.comments.push(action.text(match));
    }
    if (action.kind === "set") {
      const word = match.nodes[action.node]!;
      if (word === 0) return;
      const { attribute } = action;
      const column = layout[attribute.column];
      const value = action.value(match);
      if (column < 0) this.fail(word, 0, attribute.name, `a column that ${layout.name} has`);
      const known = this.values.get(`${word} ${attribute.name}`);
      if (known !== undefined && known.value !== value) {
        this.fail(word, column, value, `${known.value}, which another match sets ${attribute.name} to`);
      }
      this.values.set(`${word} ${attribute.name}`, { word, attribute, value });
    }
    if (action.kind === "attach") {
      const word = match.nodes[action.node]!;
      const head = action.head === ROOT ? 0 : match.nodes[action.head]!;
      if (word === 0 || (head === 0 && action.head !== ROOT)) return;
      const known = this.attached.get(word);
      if (known !== undefined && known !== head) {
        this.fail(word, layout.head, String(head), `${known}, which another match attaches the word to`);
      }
      this.attached.set(word, head);
      this.heads[word] = head;
    }
  }

  private checkTree(): void {
    const { head } = this.sentence.layout;
    for (const [word, to] of this.attached) {
      if (word === to) this.fail(word, head, String(to), "another word: this word would be its own head");
    }
    const cycle = this.attached.size > 0 ? findCycle(this.heads) : null;
    const changed = cycle?.find((word) => this.attached.has(word));
    if (changed === undefined) return;
    const path = [...cycle!, cycle![0]].join(" → ");
    this.fail(changed, head, String(this.heads[changed]), `no cycle: the edit would make ${path}`);
  }

  private collectDeletions(action: CompiledAction, match: Match<Sentence>): void {
    if (action.kind !== "delete") return;
    const word = match.nodes[action.node]!;
    if (word === 0) return;
    this.needConllu("a deletion");
    this.deleted.add(word);
    for (let i = 1; i <= this.sentence.length && action.subtree; i++) if (this.isBelow(i, word)) this.deleted.add(i);
  }

  private isBelow(word: number, ancestor: number): boolean {
    let steps = 0;
    for (let at = this.heads[word]!; at > 0 && steps <= this.heads.length; at = this.heads[at]!, steps++) {
      if (at === ancestor) return true;
    }
    return false;
  }

  private liftOverDeleted(): void {
    const { sentence, deleted } = this;
    if (deleted.size === 0) return;
    if (deleted.size === sentence.length)
      this.fail(1, 0, "1", "at least one word to remain: the edit would delete all of them");
    for (const { from, to } of sentence.multiWordTokens) {
      let count = 0;
      for (let i = from; i <= to; i++) if (deleted.has(i)) count++;
      if (count === 0 || count === to - from + 1) continue;
      const word = [...deleted].find((i) => i >= from && i <= to)!;
      this.fail(word, 0, String(word), `all words of the multiword token ${from}-${to}, or none, to be deleted`);
    }
    for (let i = 1; i <= sentence.length; i++) {
      let head = this.heads[i]!;
      for (let steps = 0; deleted.has(head) && steps <= sentence.length; steps++) head = this.heads[head]!;
      if (!deleted.has(i)) this.heads[i] = head;
    }
  }

  private roots(): number {
    let count = 0;
    for (let i = 1; i < this.heads.length; i++) if (this.heads[i] === 0 && !this.deleted.has(i)) count++;
    return count;
  }

  private needConllu(what: string): void {
    const { layout } = this.sentence;
    if (layout === CONLLU) return;
    this.fail(1, 0, what, `CoNLL-U: ${layout.name} has no place for it (stemma convert --to conllu)`);
  }

  private set(word: number, { column, key }: Attribute & { kind: "column" }, value: string): void {
    const { sentence } = this;
    sentence.set(
      column,
      word,
      key === undefined ? value : withItem(sentence[column](word), key, value, column === "feats"),
    );
  }

  /** Deletions and comments change lines, not columns: the text is put together anew, and read again. */
  private rewritten(followsText: boolean, isMoved: boolean): Sentence {
    const { sentence, deleted, comments } = this;
    let text = sentence.toString();
    const isNewText =
      followsText && [...this.values.values()].some(({ attribute }) => /^(form|misc)/.test(attribute.name));
    const needsGraph = deleted.size > 0 || isMoved;
    if (deleted.size > 0) text = withoutWords(text, deleted);
    const mended = needsGraph && sentence.layout === CONLLU ? withWholeGraph(text) : text;
    if (deleted.size === 0 && comments.length === 0 && !isNewText && mended === text) return sentence;
    text = mended;
    if (followsText) {
      const edited = surfaceText(this.read(text));
      if (edited !== sentenceValue(sentence, "text")) text = withTextComment(text, edited);
    }
    if (comments.length > 0) text = withComments(text, comments);
    return this.read(text);
  }

  private read(text: string): Sentence {
    const { source, sentence } = this;
    const blank = /^\ufeff?\s*/.exec(sentence.toString())![0].match(/\n/g)?.length ?? 0;
    return readTreebank(text, { source, line: sentence.line - blank, allowNonTrees: true })[0]!;
  }
}

/**
 * Items of FEATS or MISC with one of them set, or taken away for ""; a new feature goes to its place in the alphabet.
 */
function withItem(items: string, key: string, value: string, sorted: boolean): string {
  const list = items === "_" ? [] : items.split("|");
  const at = list.findIndex((item) => item === key || item.startsWith(`${key}=`));
  if (value === "") return list.filter((_, i) => i !== at).join("|");
  const item = `${key}=${value}`;
  if (at >= 0) list[at] = item;
  else {
    const name = key.toLowerCase();
    const next = sorted ? list.findIndex((other) => other.split("=", 1)[0]!.toLowerCase() > name) : -1;
    list.splice(next < 0 ? list.length : next, 0, item);
  }
  return list.join("|");
}

function isRootLabel(label: string): boolean {
  return /^root(?::|$)/.test(label);
}
