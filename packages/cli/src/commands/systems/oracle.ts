import {
  Configuration,
  createSystem,
  type DynamicOracle,
  dynamicOracle,
  type ExhaustiveOracle,
  exhaustiveOracle,
  GoldTree,
  isArc,
  type LabelledOracle,
  labelledOracle,
  type Move,
  NONE,
  ROOT_POSITIONS,
  type RootPosition,
  type SystemOptions,
  spine,
  systemNames,
  systemSettings,
  type TransitionSystem,
} from "@stemma/core/systems";
import { findCycle, REMOVALS, removedWords } from "@stemma/core/treebank";
import type { Command } from "commander";
import { guarded, readBytes } from "../../files/io.js";
import { openOutput } from "../../files/output.js";

const help = () => `
Each line of the input is a query, a JSON object:
  system      ${systemNames().join(", ")}
  root        position of the root node 0: "first", "last" (default) or "none"
  heads       gold head of word 1, 2, …; 0 is the root; null, -1 or "_" if any head will do
  history     transitions applied so far (default none), such as "SHIFT", "LEFT-ARC", "RIGHT-ARC-2"; with a label "LEFT-ARC:nsubj"
  labels      gold labels (null or any label where any head will do); adds labelledLoss and labelledCosts, in which an arc with the
              gold head and another label counts as lost. Costs are given for the gold labels and those in the history. An arc
              without a label does not count as lost.
${settingLines()}
  removed     disfluencies: for each word "IJ", "DM" or "RP", as what it is to be removed, or "" if it stays; by default what
              the labels say: discourse:filler, discourse and parataxis:discourse, reparandum, with the words below them
  singleRoot  true: only trees with a single root are permitted

There is one answer for each query, in the same order (blank lines are ignored):
  stack, buffer   nodes, top of the stack last; for lr-spines a stack element is {"left": […], "right": […]}, from the root down
  lists           what some systems have besides: in covington {"λ2": […]}, and the stack is λ1; in two-planar
                  {"inactive stack": […]}; in attardi-auxiliary {"auxiliary stack": […]}; in disfluencies {"removed": […]}
  arcs            [head, dependent] of the arcs built, by dependent
  terminal        whether the derivation ends here
  loss            number of gold arcs that any reachable tree lacks at least; with root none, without the arcs from 0; in
                  disfluencies arcs between words that stay, and the words that are not removed, or not as they should be
  costs           loss after minus loss before, for every permitted transition. Swap, arc-hybrid-swap and, with a single root,
                  two-planar have no exact dynamic oracle: their values come from a search, with SWAP only where quick bounds of the loss differ, and
                  are null if the sentence is too long for it.
  exact           false, present only where a limit was reached: the loss is then an upper bound, costs may be wrong, too, and
                  null values were not found. Without this field everything is exact.
A bad query is answered with {"error": "…"}; the other queries are still answered, and the exit status is 1.

Examples:
  $ echo '{"system":"arc-eager","root":"last","heads":[2,0,2],"history":["SHIFT","LEFT-ARC"]}' | stemma oracle
  {"stack":[],"buffer":[2,3,0],"arcs":[[2,1]],"terminal":false,"loss":0,"costs":{"SHIFT":0}}
  $ stemma oracle queries.jsonl > answers.jsonl

Exit status: 0 if all queries were answered, 1 if some were bad, 2 for wrong usage or a file that cannot be opened, read or written.`;

/** The fields for settings of systems, but for those of static oracles, which costs do not depend on. */
function settingLines(): string {
  return systemSettings()
    .filter(({ isOfOracle }) => !isOfOracle)
    .map(({ name, values, help }) => {
      const system =
        typeof values[0] === "boolean" ? help.replaceAll(/(^|; )([a-z, -]+): /g, `$1$2: ${!values[0]}: `) : help;
      return `  ${name.padEnd(10)}  ${system}`;
    })
    .join("\n");
}

/** Adds `stemma oracle`. */
export function register(program: Command): void {
  program
    .command("oracle")
    .description("compute the loss and cost of transitions: queries as JSON Lines in, answers out")
    .argument("[file]", 'queries; "-" or none for standard input', "-")
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .addHelpText("after", help)
    .action(guarded(oracle));
}

async function oracle(file: string, options: { output?: string }): Promise<void> {
  const answers = new Answers();
  const out = await openOutput(options.output, [file]);
  try {
    for await (const line of lines(file)) {
      if (line.trim() === "") continue;
      let answer: object;
      try {
        answer = answers.answer(line);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        answer = { error: error.message };
        process.exitCode = 1;
      }
      await out.write(`${JSON.stringify(answer)}\n`);
    }
  } catch (error) {
    await out.abort();
    throw error;
  }
  await out.close();
}

async function* lines(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of readBytes(file)) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
  yield rest + decoder.decode();
}

const FIELDS = ["system", "root", "heads", "history", "labels", "removed", "singleRoot"];

interface Made {
  system: TransitionSystem;
  oracle: DynamicOracle | ExhaustiveOracle;
  labelled: LabelledOracle;
}

interface Query extends Made {
  gold: GoldTree;
  /** Each transition without its label, the label, and how they were written. */
  history: { transition: string; label: number; name: string }[];
  labels: string[] | undefined;
}

/** Answers queries one by one; systems, oracles and configurations are made once and used again. */
class Answers {
  private readonly systems = new Map<string, Made>();
  private readonly c = new Configuration();
  private readonly gold = new GoldTree();
  private readonly moves: Move[] = [];

  answer(line: string): object {
    const { system, oracle, labelled, gold, history, labels } = this.read(line);
    const { c, moves } = this;
    system.initialize(c, gold.length);
    history.forEach(({ transition, label, name }, i) => {
      // The same name can stand for moves with and without an arc (REDUCE, where arcs can be replaced).
      const permitted = system.permitted(c, moves);
      const move = moves.slice(0, permitted).find((one) => system.nameOf(one) === transition);
      if (move === undefined) {
        throw new RangeError(
          `invalid history[${i}]: ${name} (expected ${this.permittedNames(system) || "nothing more: the configuration is terminal"})`,
        );
      }
      if (label !== NONE && !isArc(move))
        throw new RangeError(`invalid history[${i}]: ${name} (expected ${transition} without a label)`);
      const dependent = system.dependent(c, move);
      const silent = labels && label === NONE && dependent > 0;
      system.apply(c, move, silent ? gold.labels![dependent]! : label);
    });

    oracle.bind(gold);
    if (labels) labelled.bind(gold);
    const stack = Array.from(c.stack.subarray(0, c.stackSize));
    const arcs: [number, number][] = [];
    for (let d = 1; d <= c.length; d++) if (c.heads[d] !== NONE) arcs.push([c.heads[d]!, d]);
    const costs: Record<string, number | null> = {};
    const labelledCosts: Record<string, number | null> = {};
    let exact = true;
    const count = system.permitted(c, moves);
    for (let i = 0; i < count; i++) {
      const move = moves[i]!;
      const name = system.nameOf(move);
      const cost = oracle.cost(c, move) ?? null;
      exact &&= oracle.exact;
      costs[name] = cost;
      if (!labels) continue;
      const costWith = (label: number) => {
        const cost = labelled.cost(c, move, label) ?? null;
        exact &&= labelled.exact;
        return cost;
      };
      if (!isArc(move)) {
        labelledCosts[name] = costWith(NONE);
        continue;
      }
      // All labels but the gold one are equally wrong.
      const wanted = gold.labels![system.dependent(c, move)]!;
      const right = costWith(wanted);
      const other = labels.length > 1 || wanted === NONE ? costWith(labels.length) : right;
      labels.forEach((label, l) => {
        labelledCosts[`${name}:${label}`] = l === wanted ? right : other;
      });
    }
    const loss = oracle.loss(c) ?? null;
    exact &&= oracle.exact;
    const labelledLoss = labels && (labelled.loss(c) ?? null);
    if (labels) exact &&= labelled.exact;
    return {
      stack: system.description.attachesToSpines
        ? stack.map((root) => ({ left: spine(root, c.leftmost), right: spine(root, c.rightmost) }))
        : stack,
      buffer: Array.from(c.buffer.subarray(c.front, c.end)),
      ...(system.description.lists ? { lists: system.description.lists(c) } : {}),
      arcs,
      terminal: system.isTerminal(c),
      loss,
      costs,
      ...(exact ? {} : { exact }),
      ...(labels ? { labelledLoss, labelledCosts } : {}),
    };
  }

  private permittedNames(system: TransitionSystem): string {
    const count = system.permitted(this.c, this.moves);
    const names = this.moves.slice(0, count).map((move) => system.nameOf(move));
    return names.length > 1 ? `one of ${names.join(", ")}` : names.join();
  }

  private read(line: string): Query {
    let query: unknown;
    try {
      query = JSON.parse(line);
    } catch (error) {
      throw new RangeError(`invalid JSON: ${(error as Error).message}`);
    }
    if (typeof query !== "object" || query === null || Array.isArray(query)) {
      throw new RangeError(`invalid query: ${shown(query)} (expected an object with system, root, heads and history)`);
    }
    const fields = [...FIELDS, ...systemSettings().map(({ name }) => name)];
    for (const name of Object.keys(query)) {
      if (!fields.includes(name)) throw new RangeError(`unknown field: ${name} (expected ${fields.join(", ")})`);
    }
    const {
      system,
      root = "last",
      heads,
      history = [],
      labels,
      removed,
      singleRoot = false,
      ...settings
    } = query as Record<string, unknown>;
    if (!ROOT_POSITIONS.includes(root as RootPosition)) {
      throw new RangeError(`invalid root: ${shown(root)} (expected one of ${ROOT_POSITIONS.join(", ")})`);
    }
    if (typeof singleRoot !== "boolean")
      throw new RangeError(`invalid singleRoot: ${shown(singleRoot)} (expected true or false)`);
    const made = this.system(system, root as RootPosition, singleRoot, settings);

    const goldHeads = Int32Array.from([NONE, ...headsIn(heads)]);
    const cycle = findCycle(goldHeads);
    if (cycle) throw new RangeError(`invalid heads: the words ${cycle.join(", ")} form a cycle (expected a tree)`);
    const names = labels === undefined ? undefined : labelsIn(labels, goldHeads);
    if (!isStrings(history))
      throw new RangeError(`invalid history: ${shown(history)} (expected an array of transitions)`);

    const inventory: string[] = (names ?? []).filter((name) => name !== null);
    const parsed = history.map((entry, i) => {
      const colon = entry.indexOf(":");
      const name = colon < 0 ? entry : entry.slice(0, colon);
      if (made.system.moveOf(name) < 0)
        throw new RangeError(`invalid history[${i}]: ${entry} (${made.system.name} has ${made.system.inventory})`);
      const label = colon < 0 ? undefined : entry.slice(colon + 1);
      if (label !== undefined) inventory.push(label);
      return { transition: name, name: entry, label };
    });
    const distinct = [...new Set(inventory)].sort();
    const numbers = new Map(distinct.map((label, i) => [label, i]));
    const gone = removalsIn(made.system, removed, goldHeads, names);
    this.gold.bind(
      goldHeads,
      names && [NONE, ...names.map((name) => (name === null ? NONE : numbers.get(name)!))],
      gone,
    );
    return {
      ...made,
      gold: this.gold,
      labels: names && distinct,
      history: parsed.map(({ transition, name, label }) => ({
        transition,
        name,
        label: label === undefined ? NONE : numbers.get(label)!,
      })),
    };
  }

  private system(name: unknown, root: RootPosition, singleRoot: boolean, settings: Record<string, unknown>): Made {
    const key = JSON.stringify([name, root, singleRoot, settings]);
    let made = this.systems.get(key);
    if (!made) {
      if (name === undefined)
        throw new RangeError("missing system (expected a query with system, root, heads and history)");
      if (typeof name !== "string") {
        throw new RangeError(`invalid system: ${shown(name)} (expected one of ${systemNames().join(", ")})`);
      }
      const system = systemOf(name, { root, singleRoot, ...(settings as SystemOptions) });
      const oracle = dynamicOracle(system) ?? exhaustiveOracle(system);
      made = { system, oracle, labelled: labelledOracle(system) };
      this.systems.set(key, made);
    }
    return made;
  }
}

/** The system of a query; what is wrong with its settings is told as other errors are. */
function systemOf(name: string, options: SystemOptions): TransitionSystem {
  try {
    return createSystem(name, options);
  } catch (error) {
    throw new RangeError((error as Error).message);
  }
}

/** Checks that every head is a node of the sentence or says that any will do, and returns them. */
function headsIn(heads: unknown): number[] {
  if (!Array.isArray(heads))
    throw new RangeError(`invalid heads: ${shown(heads)} (expected an array with the head of each word)`);
  const n = heads.length;
  return heads.map((head, i) => {
    if (head === null || head === NONE || head === "_") return NONE;
    if (!Number.isInteger(head) || head < 0 || head > n) {
      throw new RangeError(
        `invalid heads[${i}]: ${shown(head)} (expected a node from 0 to ${n}, or null if any head will do)`,
      );
    }
    if (head === i + 1) throw new RangeError(`invalid heads[${i}]: ${head} (word ${i + 1} cannot be its own head)`);
    return head;
  });
}

/** The gold labels; a word for which any head will do may have none. */
function labelsIn(labels: unknown, heads: Int32Array): (string | null)[] {
  const n = heads.length - 1;
  if (!Array.isArray(labels)) throw new RangeError(`invalid labels: ${shown(labels)} (expected an array of strings)`);
  if (labels.length !== n)
    throw new RangeError(`invalid labels: ${labels.length} of them (expected ${n}, one for each word)`);
  labels.forEach((label, i) => {
    if (typeof label !== "string" && !(label === null && heads[i + 1] === NONE)) {
      throw new RangeError(`invalid labels[${i}]: ${shown(label)} (expected a string)`);
    }
  });
  return labels;
}

/** As what each word is to be removed, as the query says it or its labels do. */
function removalsIn(
  system: TransitionSystem,
  removed: unknown,
  heads: Int32Array,
  labels: readonly (string | null)[] | undefined,
): ArrayLike<number> | undefined {
  if (removed === undefined) {
    const names = labels?.map((label) => label ?? "");
    return system.description.leftOut && names ? removedWords(heads, ["", ...names]) : undefined;
  }
  if (!system.description.leftOut) {
    throw new RangeError(`invalid removed: ${shown(removed)} (${system.name} removes no words)`);
  }
  const kinds: readonly string[] = REMOVALS;
  if (!isStrings(removed) || removed.length !== heads.length - 1 || !removed.every((kind) => kinds.includes(kind))) {
    throw new RangeError(
      `invalid removed: ${shown(removed)} (expected ${heads.length - 1} values, each "IJ", "DM", "RP" or "")`,
    );
  }
  return [0, ...removed.map((kind) => kinds.indexOf(kind))];
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
