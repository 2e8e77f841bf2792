import type { Drawable, Sentence } from "@stemma/core";

/**
 * The drawing with the enhanced graph: empty nodes are words without a head, labels of the tree are those of the graph
 * (obl:in), and every head of further arcs gets a row below the words, with their labels below their dependents.
 */
export function withGraph(tree: Drawable, sentence: Sentence): Drawable {
  const nodes: { id: string; form: string; tag: string; word: number; deps: string }[] = [];
  const addEmpty = (before: number) => {
    for (const { id, form, upos, deps } of sentence.emptyNodes) {
      if (Number.parseInt(id, 10) === before)
        nodes.push({ id, form: form === "_" ? id : form, tag: upos, word: 0, deps });
    }
  };
  addEmpty(0);
  for (let word = 1; word <= sentence.length; word++) {
    nodes.push({ id: String(word), form: "", tag: "", word, deps: sentence.deps(word) });
    addEmpty(word);
  }
  const places = new Map(nodes.map(({ id }, i) => [id, i + 1]));
  const labels = ["", ...nodes.map(({ word }) => tree.labels?.[word] ?? "")];
  const rows = new Map<number, { word: number; role: string }[]>();
  const roots: number[] = [];
  for (const [i, { word, deps }] of nodes.entries()) {
    const place = i + 1;
    const own = word > 0 ? sentence.head(word) : -1;
    const label = labels[place]!;
    let isFound = false;
    for (const arc of deps === "_" ? [] : deps.split("|")) {
      const colon = arc.indexOf(":");
      const [head, role] = [arc.slice(0, colon), arc.slice(colon + 1)];
      if (!isFound && head === String(own) && (role === label || role.startsWith(`${label}:`))) {
        labels[place] = role;
        isFound = true;
      } else if (head === "0") roots.push(place);
      else if (places.has(head)) {
        const at = places.get(head)!;
        rows.set(at, [...(rows.get(at) ?? []), { word: place, role }]);
      }
    }
  }
  const moved = (values: Drawable["forms" | "tags" | "lemmas"], empty: (node: (typeof nodes)[number]) => string) =>
    values && ["", ...nodes.map((node) => (node.word > 0 ? (values[node.word] ?? "") : empty(node)))];
  const placeOf = (word: number) => places.get(String(word))!;
  return {
    ...tree,
    forms: moved(tree.forms, ({ form }) => form)!,
    tags: moved(tree.tags, ({ tag }) => (tag === "_" ? "" : tag)),
    lemmas: moved(tree.lemmas, () => ""),
    heads: [-1, ...nodes.map(({ word }) => (word === 0 ? -1 : headAmong(sentence.head(word), placeOf)))],
    labels: tree.labels && labels,
    predicates: [
      ...(tree.predicates ?? []).map(({ word, sense, arguments: own }) => ({
        word: placeOf(word),
        sense,
        arguments: own.map((argument) => ({ ...argument, word: placeOf(argument.word) })),
      })),
      ...roots.map((word) => ({ word, sense: "root", arguments: [] })),
      ...[...rows].sort(([a], [b]) => a - b).map(([word, own]) => ({ word, sense: "head", arguments: own })),
    ],
  };
}

function headAmong(head: number, placeOf: (word: number) => number): number {
  return head > 0 ? placeOf(head) : head;
}
