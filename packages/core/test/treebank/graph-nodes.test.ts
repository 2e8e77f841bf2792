import { describe, expect, test } from "vitest";
import { addEmptyNode, changeGraphArc, readTreebank, removeEmptyNode, setEmptyNode } from "../../src/treebank.js";

const row = (id: string, form: string, head: string, label: string, deps: string, misc = "_") =>
  `${[id, form, "_", "X", "_", "_", head, label, deps, misc].join("\t")}\n`;
const TREE = `# sent_id = a\n${row("1", "Ann", "2", "nsubj", "_")}${row("2", "sails", "0", "root", "_")}${row("3", "home", "2", "advmod", "_", "SpaceAfter=No")}\n`;
const GRAPH =
  row("1", "Ann", "2", "nsubj", "2:nsubj|2.1:nsubj") +
  row("2", "sails", "0", "root", "0:root") +
  row("2.1", "rows", "_", "_", "2:conj") +
  row("2.2", "_", "_", "_", "2.1:obj") +
  `${row("3", "home", "2", "advmod", "2.1:advmod|2.2:dep")}\n`;
const WHOLE = TREE.replace("2\tnsubj\t_", "2\tnsubj\t2:nsubj")
  .replace("0\troot\t_", "0\troot\t0:root")
  .replace("2\tadvmod\t_", "2\tadvmod\t2:advmod");
const EMPTY = `2.1${"\t_".repeat(9)}\n`;
const read = (text: string) => readTreebank(text, { allowNonTrees: true })[0]!;

describe("the enhanced graph", () => {
  test("gets empty nodes after words and after each other, and at the beginning", () => {
    const once = addEmptyNode(read(TREE), 2);
    expect(once.toString()).toBe(WHOLE.replace("3\thome", `${EMPTY}3\thome`));
    expect(addEmptyNode(once, 2).emptyNodes.map(({ id }) => id)).toEqual(["2.1", "2.2"]);
    expect(addEmptyNode(once, 0).emptyNodes.map(({ id }) => id)).toEqual(["0.1", "2.1"]);
    expect(addEmptyNode(read(GRAPH), 3).emptyNodes.map(({ id }) => id)).toEqual(["2.1", "2.2", "3.1"]);
    // Not between a multiword token and its words.
    const token = TREE.replace("3\thome", `3-4\thomenow\t_\t_\t_\t_\t_\t_\t_\t_\n3\thome`).replace(
      "SpaceAfter=No\n",
      `SpaceAfter=No\n${row("4", "now", "2", "advmod", "_")}`,
    );
    expect(addEmptyNode(read(token), 2).toString()).toContain(`${EMPTY}3-4\t`);
    expect(() => addEmptyNode(read(TREE), 4)).toThrow("invalid word: 4 (expected one of 1, 2, 3)");
  });

  test("loses them, with their dependents given to their heads and the others renumbered", () => {
    expect(removeEmptyNode(read(GRAPH), "2.1").toString()).toBe(
      row("1", "Ann", "2", "nsubj", "2:nsubj") +
        row("2", "sails", "0", "root", "0:root") +
        row("2.1", "_", "_", "_", "2:obj") +
        `${row("3", "home", "2", "advmod", "2:advmod|2.1:dep")}\n`,
    );
    expect(() => removeEmptyNode(read(GRAPH), "3")).toThrow("invalid empty node: 3 (expected one of 2.1, 2.2)");
    expect(() => removeEmptyNode(read(TREE), "1.1")).toThrow(/none/);
  });

  test("has columns of empty nodes set", () => {
    expect(setEmptyNode(read(GRAPH), "2.2", "form", "boats").toString()).toBe(GRAPH.replace("2.2\t_", "2.2\tboats"));
    expect(setEmptyNode(read(GRAPH), "2.1", "form", "").toString()).toBe(GRAPH.replace("2.1\trows", "2.1\t_"));
    expect(() => setEmptyNode(read(GRAPH), "2.1", "form", "a\tb")).toThrow("expected no tab");
  });

  test("has arcs added, changed and removed; a tree alone becomes a graph first", () => {
    const added = changeGraphArc(read(TREE), "1", undefined, { head: "3", label: "dep" });
    expect(added.toString()).toBe(WHOLE.replace("2:nsubj", "2:nsubj|3:dep"));
    const arc = { head: "2.1", label: "nsubj" };
    const moved = changeGraphArc(read(GRAPH), "1", arc, { head: "2.2", label: "nsubj" });
    expect(moved.deps(1)).toBe("2:nsubj|2.2:nsubj");
    expect(changeGraphArc(moved, "1", { head: "2.2", label: "nsubj" }, undefined).deps(1)).toBe("2:nsubj");
    expect(
      changeGraphArc(read(GRAPH), "2.2", { head: "2.1", label: "obj" }, { head: "2", label: "obj" }).toString(),
    ).toBe(GRAPH.replace("2.1:obj", "2:obj"));
    expect(() => changeGraphArc(read(GRAPH), "1", undefined, { head: "1", label: "x" })).toThrow("another node");
    expect(() => changeGraphArc(read(GRAPH), "1", undefined, { head: "9", label: "x" })).toThrow("invalid node: 9");
    expect(() => changeGraphArc(read(GRAPH), "1", undefined, { head: "2", label: "a b" })).toThrow("invalid label");
  });
});
