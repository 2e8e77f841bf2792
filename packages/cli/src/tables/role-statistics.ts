import type { Sentence } from "@stemma/core";
import { Inventory, SemanticOracle, semanticGraph } from "@stemma/core/roles";
import { byCount } from "@stemma/core/treebank";
import { alignedLines } from "../terminal/text-table.js";

/** Sizes of the semantic roles of a treebank, and what the semantic stack can build of them. */
export class RoleStatistics {
  sentences = 0;
  predicates = 0;
  arguments = 0;
  readonly senses = new Map<string, number>();
  readonly roles = new Map<string, number>();
  /** Sentences whose whole graph the static oracle builds, and arguments that it builds. */
  graphs = 0;
  built = 0;
  private readonly oracle = new SemanticOracle();
  private readonly numbers = new Inventory();

  add({ length, predicates }: Sentence): void {
    this.sentences++;
    const data = predicates.map((predicate) => predicate.toJSON());
    for (const { sense, arguments: own } of data) {
      this.predicates++;
      this.senses.set(sense, (this.senses.get(sense) ?? 0) + 1);
      this.arguments += own.length;
      for (const { role } of own) this.roles.set(role, (this.roles.get(role) ?? 0) + 1);
    }
    const graph = semanticGraph(length, data, this.numbers, this.numbers);
    const built = this.oracle.countBuilt(graph);
    this.built += built;
    // A word that is its own argument is not in the graph.
    if (built === data.reduce((sum, { arguments: own }) => sum + own.length, 0)) this.graphs++;
  }

  toJSON() {
    const { predicates, arguments: all, sentences, graphs, built } = this;
    const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
    return {
      predicates,
      arguments: all,
      senses: this.senses.size,
      roles: Object.fromEntries(byCount(this.roles)),
      coverage: {
        graphs: { graphs, share: share(graphs, sentences) },
        arguments: { arguments: built, share: share(built, all) },
      },
    };
  }
}

/** The statistics as text. */
export function roleTable(statistics: RoleStatistics, top: number): string {
  const { predicates, arguments: all, senses, sentences, graphs, built, roles } = statistics;
  const number = (value: number) => value.toLocaleString("en-US");
  const share = (part: number, whole: number) => `${(whole === 0 ? 0 : (100 * part) / whole).toFixed(2)} %`;
  const listed = byCount(roles);
  const rows = [
    ["  predicates", number(predicates), ""],
    ["  senses", number(senses.size), ""],
    ["  arguments", number(all), ""],
    ["  graphs that the semantic stack can build", number(graphs), share(graphs, sentences)],
    ["  arguments that it can build", number(built), share(built, all)],
    ...listed.slice(0, top).map(([role, count]) => [`  ${role}`, number(count), share(count, all)]),
    ...(listed.length > top ? [[`  … ${listed.length - top} more`, "", ""]] : []),
  ];
  return `\nSemantic roles\n${alignedLines(rows).join("\n")}\n`;
}
