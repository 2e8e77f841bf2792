// The address bar holds the state: `#step?t=Some+text&sys=arc-eager&k=7`. What has its default value is left out.

import {
  ROOT_POSITIONS,
  type SystemName,
  type SystemSettings,
  systemNames,
  systemSettings,
} from "@stemma/core/systems";
import type { Branch, Policy, SystemWish } from "../../protocol/derivation.js";
import { type ErrorFilter, readFilter, writeFilter } from "../../protocol/error-filter.js";
import { fingerprintOf } from "../../protocol/fingerprint.js";
import type { Tree } from "../../protocol/sentence.js";
import type { TreebankOrder, TreeSource } from "../../protocol/treebank.js";
import type { TreebankPlace } from "../storage/changes.js";
import { FINEST } from "../storage/numbers.js";
import { FIRST_TEXT } from "./examples.js";
import { LESSONS, type LessonId, lessonOf } from "./lesson-plans.js";
import { readTaken, writeTaken } from "./taken.js";

export const VIEWS = ["parse", "step", "compare", "treebank", "annotate", "learn"] as const;
export type View = (typeof VIEWS)[number];

/** One side of a comparison: a tree that is known, or the one that a system's oracle reaches. */
export type Side = TreeSource | SystemName;
const TREE_SOURCES: readonly TreeSource[] = ["gold", "model", "other-model", "other-file"];

export function isTreeSource(side: Side): side is TreeSource {
  return TREE_SOURCES.includes(side as TreeSource);
}

export function sideNames(): Side[] {
  return [...TREE_SOURCES, ...systemNames()];
}

export interface Address {
  view: View;
  text: string;
  /** The key of a text that is too long for the address and kept in the browser. */
  longText: string | undefined;
  /** The key of the treebank that is open. */
  treebank: string | undefined;
  /** The sentence of a treebank that the text is. */
  place: TreebankPlace | undefined;
  /** The name of the model, if it is not the one that comes with the page. */
  model: string | undefined;
  /** From 0. */
  sentence: number;
  /** Gold trees made by hand, by sentence. */
  gold: Record<number, Tree>;
  system: SystemWish;
  policy: Policy;
  /** Branches tried by hand, and which of them is shown; undefined for the derivation that nobody changed. */
  branches: Branch[];
  branch: number | undefined;
  step: number;
  /** Is the next transition asked for? */
  quiz: boolean;
  /** Is the derivation alone on the screen, for an audience? */
  present: boolean;
  lesson: LessonId | undefined;
  sides: [Side, Side];
  /** The names under which the browser keeps a second model and a second treebank. */
  otherModel: string | undefined;
  otherFile: string | undefined;
  /** The search in the treebank, as far as it differs from that for everything. */
  query: Partial<SearchedFor>;
  /** Does the model tag the words that it is evaluated on? */
  retag: boolean;
}

/** Which sentences of a treebank, by what a person did with them. */
export const MARKS = ["all", "open", "done", "edited", "noted", "unreadable"] as const;
export type MarkFilter = (typeof MARKS)[number];

/** The parts of a search in a treebank. */
interface SearchedFor {
  form: string;
  label: string;
  nonProjective: boolean;
  wrong: boolean;
  errors: ErrorFilter | undefined;
  pattern: string;
  by: string;
  value: string | undefined;
  order: TreebankOrder;
  marks: MarkFilter;
}

export const START: Address = {
  view: "parse",
  text: FIRST_TEXT,
  longText: undefined,
  treebank: undefined,
  place: undefined,
  model: undefined,
  sentence: 0,
  gold: {},
  system: {},
  policy: "model",
  branches: [],
  branch: undefined,
  step: 0,
  quiz: false,
  present: false,
  lesson: undefined,
  sides: ["gold", "model"],
  otherModel: undefined,
  otherFile: undefined,
  query: {},
  retag: false,
};

/** Longer texts are not put into the address, only their key: browsers and mail programs cut it. */
export const LONGEST_TEXT = 30_000;

const POLICIES: readonly Policy[] = ["model", "dynamic", "non-deterministic", "static", "hand"];

export function writeAddress(state: Address): string {
  const query = new URLSearchParams();
  if (state.longText) query.set("long", state.longText);
  else if (state.text !== START.text) query.set("t", state.text);
  if (state.treebank) query.set("tb", state.treebank);
  if (state.place)
    query.set(
      "n",
      `${writeNumber(state.place.index)}${state.place.key === state.treebank ? "" : `.${state.place.key}`}`,
    );
  if (state.model) query.set("m", state.model);
  if (state.sentence > 0) query.set("s", String(state.sentence + 1));
  for (const [index, tree] of Object.entries(state.gold)) query.append("g", `${Number(index) + 1}~${writeTree(tree)}`);
  const { name, root, singleRoot, settings = {} } = state.system;
  if (name) query.set("sys", name);
  if (root) query.set("root", root);
  for (const [setting, value] of Object.entries(settings)) {
    if (value !== undefined) query.set(setting, String(Number(value)));
  }
  if (singleRoot === false) query.set("roots", "many");
  if (state.policy !== START.policy) query.set("by", state.policy);
  for (const { prefix, after } of state.branches) {
    query.append("hand", writeTaken(prefix));
    query.append("then", after);
  }
  const last = state.branches.length - 1;
  if (last >= 0 && state.branch !== last) query.set("branch", String((state.branch ?? -1) + 1));
  if (state.quiz) query.set("quiz", "1");
  if (state.present) query.set("present", "1");
  if (state.lesson) query.set("lesson", state.lesson);
  if (state.step > 0 && Number.isFinite(state.step)) query.set("k", String(state.step));
  if (state.sides.join() !== START.sides.join()) query.set("sides", state.sides.join("~"));
  if (state.otherModel) query.set("m2", state.otherModel);
  if (state.otherFile) query.set("tb2", state.otherFile);
  writeSearch(query, state.query);
  if (state.retag) query.set("tags", "model");
  const text = query.toString();
  return `#${state.view}${text === "" ? "" : `?${text}`}`;
}

/** The settings in an address: numbers, 1 and 0 for true and false. What no system can have is left out. */
function readSettings(query: URLSearchParams): SystemSettings {
  return Object.fromEntries(
    systemSettings().flatMap(({ name, values, accepts }) => {
      const text = query.get(name) ?? "";
      const value = typeof values[0] === "boolean" ? { 0: false, 1: true }[text] : Number(text || Number.NaN);
      return value !== undefined && accepts(value) ? [[name, value]] : [];
    }),
  );
}

export function readAddress(hash: string): Address {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const oneOf = <T extends string>(key: string, values: readonly T[]) =>
    values.find((value) => value === query.get(key));
  const count = (key: string) => Math.max(0, Math.trunc(Number(query.get(key))) || 0);
  const gold: Record<number, Tree> = {};
  for (const value of query.getAll("g")) {
    const [index, rest] = value.split(/~(.*)/s);
    const tree = readTree(rest ?? "");
    if (tree && Number(index) >= 1) gold[Number(index) - 1] = tree;
  }
  const sides = (query.get("sides") ?? "").split("~").map((side) => sideNames().find((known) => known === side));
  const lesson = oneOf(
    "lesson",
    LESSONS.map(({ id }) => id),
  );
  // A link to a lesson that says nothing more begins as the lesson does.
  const says = ["sys", "root", ...systemSettings().map(({ name }) => name), "roots", "by", "hand"].some((key) =>
    query.has(key),
  );
  const begins = lesson && !says ? lessonOf(lesson) : undefined;
  const branches = begins?.branches ?? readBranches(query);
  const longText = query.get("long") || undefined;
  const treebank = query.get("tb") || undefined;
  return {
    view: VIEWS.find((view) => view === path) ?? START.view,
    text: longText ? "" : (query.get("t") ?? START.text),
    longText,
    treebank,
    place: readPlace(query.get("n") ?? "", treebank),
    model: query.get("m") || undefined,
    sentence: Math.max(0, count("s") - 1),
    gold,
    system: begins?.system ?? {
      name: oneOf("sys", systemNames()),
      root: oneOf("root", ROOT_POSITIONS),
      singleRoot: query.get("roots") === "many" ? false : undefined,
      settings: readSettings(query),
    },
    policy: begins?.policy ?? oneOf("by", POLICIES) ?? START.policy,
    branches,
    branch: begins ? undefined : readBranch(query.get("branch"), branches.length),
    step: query.has("k") ? count("k") : (begins?.step ?? 0),
    quiz: query.get("quiz") === "1",
    present: query.get("present") === "1",
    lesson,
    sides: [sides[0] ?? START.sides[0], sides[1] ?? START.sides[1]],
    otherModel: query.get("m2") || undefined,
    otherFile: query.get("tb2") || undefined,
    query: readSearch(query),
    retag: query.get("tags") === "model",
  };
}

/** The keys of what is searched for as text, and of what is searched for or not. */
const SEARCH_TEXTS = { pattern: "p", by: "count", form: "q", label: "label" } as const;
const SEARCH_FLAGS = { nonProjective: "np", wrong: "wrong" } as const;
const keysOf = <K extends string>(table: Readonly<Record<K, string>>) => Object.entries(table) as [K, string][];

function writeSearch(query: URLSearchParams, wanted: Partial<SearchedFor>): void {
  for (const [name, key] of keysOf(SEARCH_TEXTS)) if (wanted[name]) query.set(key, wanted[name]);
  for (const [name, key] of keysOf(SEARCH_FLAGS)) if (wanted[name]) query.set(key, "1");
  if (wanted.errors) query.set("errors", writeFilter(wanted.errors));
  if (wanted.value !== undefined) query.set("value", wanted.value);
  if (wanted.order && wanted.order !== "file") query.set("order", wanted.order);
  if (wanted.marks && wanted.marks !== "all") query.set("only", wanted.marks);
}

function readSearch(query: URLSearchParams): Partial<SearchedFor> {
  const wanted: Partial<SearchedFor> = {};
  for (const [name, key] of keysOf(SEARCH_TEXTS)) if (query.get(key)) wanted[name] = query.get(key)!;
  for (const [name, key] of keysOf(SEARCH_FLAGS)) if (query.get(key)) wanted[name] = true;
  const errors = readFilter(query.get("errors") ?? "");
  if (errors) wanted.errors = errors;
  if (query.has("value")) wanted.value = query.get("value")!;
  const order = ORDERS.find((one) => one === query.get("order"));
  if (order) wanted.order = order;
  const marks = MARKS.find((one) => one === query.get("only"));
  if (marks) wanted.marks = marks;
  return wanted;
}

const ORDERS: readonly TreebankOrder[] = ["unsure", "doubtful"];

/** The key of a text that does not fit into the address. */
export function longTextKey(text: string): string | undefined {
  return text.length > LONGEST_TEXT ? fingerprintOf(text) : undefined;
}

function readPlace(text: string, treebank: string | undefined): TreebankPlace | undefined {
  const [number, key = treebank] = text.split(/\.(.*)/s);
  if (!key || !/^[1-9]\d*(_\d+)?$/.test(number!)) return undefined;
  const [whole, rest = "0"] = number!.split("_");
  return { key, index: Number(whole) - 1 + Number(rest) * FINEST };
}

/** Counted from 1; what was split off a sentence stands between it and the next: 12_268435456. */
function writeNumber(index: number): string {
  const whole = Math.floor(index);
  return index === whole ? String(whole + 1) : `${whole + 1}_${(index - whole) / FINEST}`;
}

function writeTree({ heads, labels }: Tree): string {
  return heads
    .slice(1)
    .map((head, i) => `${head}.${labels[i + 1]}`)
    .join("~");
}

function readTree(text: string): Tree | undefined {
  const tree: Tree = { heads: [-1], labels: [""] };
  for (const word of text.split("~")) {
    const dot = word.indexOf(".");
    if (!/^\d+$/.test(word.slice(0, dot))) return undefined;
    tree.heads.push(Number(word.slice(0, dot)));
    tree.labels.push(word.slice(dot + 1));
  }
  return tree;
}

function readBranches(query: URLSearchParams): Branch[] {
  const after = query.getAll("then");
  return query.getAll("hand").flatMap((hand, i) => {
    const prefix = readTaken(hand);
    return prefix.length === 0
      ? []
      : [{ prefix, after: POLICIES.find((policy) => policy === after[i]) ?? ("hand" as const) }];
  });
}

/** Counted from 1, 0 is what nobody changed; the last one if nothing is said. */
function readBranch(text: string | null, count: number): number | undefined {
  const number = text !== null && /^\d+$/.test(text) ? Math.min(Number(text), count) : count;
  return number === 0 ? undefined : number - 1;
}
