import type { ComponentChildren } from "preact";
import type { Choice, Configured } from "../../protocol/derivation.js";
import { removedAs } from "../../state/shown/removed.js";
import { Form } from "../common/Form.js";

interface Props {
  choice: Choice;
  /** Words that the transition removes from the sentence, and as what. */
  removed: readonly { word: number; kind: number }[];
  before: Configured;
  after: Configured;
  /** The name of the stack. */
  title: string;
  forms: readonly string[];
}

/**
 * The effect of a transition, in words: as the configurations before and after it show, so that it holds in any system.
 */
export function Effect({ choice: { move, head, dependent }, removed, before, after, title, forms }: Props) {
  const name = (node: number) => (
    <>
      {node > 0 && "“"}
      <Form node={node} forms={forms} />
      {node > 0 && "”"}
    </>
  );
  if (dependent > 0) {
    return (
      <>
        {name(head)} becomes the head of {name(dependent)}
      </>
    );
  }
  if (removed.length > 0) {
    return (
      <>
        {enumerated(removed.map(({ word }) => name(word)))} {removed.length > 1 ? "are" : "is"} removed{" "}
        {removedAs(removed[0]!.kind)}
      </>
    );
  }
  if (move === "NO-ARC") {
    return (
      <>
        {name(before.stack.at(-1)!)} and {name(before.buffer[0]!)} pass each other without an arc
      </>
    );
  }
  const [old, now] = [listsOf(before, title), listsOf(after, title)];
  const exchanged = exchangedLists(old, now);
  if (exchanged) return <>{exchanged.map(withArticle).join(" and ")} are exchanged</>;
  const changes = movements(old, now);
  if (changes.length === 0) return <>nothing moves</>;
  return (
    <>
      {changes.map(({ words, ...way }, i) => (
        <>
          {i > 0 && "; "}
          {enumerated(words.map(name))} {describe(words.length > 1, way)}
        </>
      ))}
    </>
  );
}

type Lists = Record<string, readonly number[]>;

const listsOf = ({ stack, buffer, lists }: Configured, title: string): Lists => ({ [title]: stack, ...lists, buffer });

/** Greek letters are names already. */
const withArticle = (list: string) => (/^[a-z]/.test(list) ? `the ${list}` : list);

function exchangedLists(old: Lists, now: Lists): [string, string] | undefined {
  const names = Object.keys(old);
  const same = (a: readonly number[], b: readonly number[]) => a.join() === b.join();
  for (const a of names) {
    for (const b of names) {
      if (a < b && !same(old[a]!, old[b]!) && same(old[a]!, now[b]!) && same(old[b]!, now[a]!)) return [a, b];
    }
  }
  return undefined;
}

interface Movement {
  words: number[];
  from: string[];
  to: string[];
  /** Are they in no list any more? */
  isGone: boolean;
}

/** Words that were in other lists before, those with the same way together. */
function movements(old: Lists, now: Lists): Movement[] {
  const found = new Map<string, Movement>();
  const names = Object.keys(old);
  for (const word of new Set(Object.values(old).flat())) {
    const from = names.filter((list) => old[list]!.includes(word) && !now[list]!.includes(word));
    const to = names.filter((list) => !old[list]!.includes(word) && now[list]!.includes(word));
    if (from.length + to.length === 0) continue;
    const key = `${from.join()} ${to.join()}`;
    const isGone = names.every((list) => !now[list]!.includes(word));
    const movement = found.get(key) ?? { words: [], from, to, isGone };
    movement.words.push(word);
    found.set(key, movement);
  }
  return [...found.values()];
}

function describe(isSeveral: boolean, { from, to, isGone }: Omit<Movement, "words">): string {
  const verb = (one: string, several: string) => (isSeveral ? several : one);
  if (to.length === 0) {
    if (isGone && from.includes("buffer")) return verb("is removed", "are removed");
    const done = isGone ? verb("is done and ", "are done and ") : "";
    return `${done}${verb("leaves", "leave")} ${from.map(withArticle).join(" and ")}`;
  }
  const back = to.includes("buffer") ? "back " : "";
  return `${verb("moves", "move")} ${back}to ${to.map(withArticle).join(" and ")}`;
}

function enumerated(items: readonly ComponentChildren[]): ComponentChildren {
  return items.map((item, i) => [i === 0 ? "" : i === items.length - 1 ? " and " : ", ", item]);
}
