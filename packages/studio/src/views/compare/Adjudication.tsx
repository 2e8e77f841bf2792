import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { isTyped, singleKeys } from "../../state/annotation/keys.js";
import { type Decision, decide, decisionsAgainst, takeWhole } from "../../state/comparison/adjudication.js";
import { sentencesOf } from "../../state/editing/treebank-edits.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { place, view } from "../../state/shown/state.js";
import { saveTreebank, writing } from "../../state/treebank/save.js";
import { Form } from "../common/Form.js";
import { HeadRow } from "../common/HeadRow.js";

interface Props {
  sentence: ShownSentence;
  /** The second annotator's sentence, as CoNLL-U. */
  second: string;
  names: [string, string];
}

/** The difference that a person has gone to, by its key. */
const wish = signal<string | undefined>(undefined);

/** The difference that keys decide: the one that was gone to, or the first that is open. */
function currentOf(decisions: readonly Decision[]): number {
  const asked = decisions.findIndex(({ key }) => key === wish.value);
  const open = decisions.findIndex(({ isDecided }) => !isDecided);
  return asked >= 0 ? asked : Math.max(0, open);
}

/** The differences between two annotators, to be decided one after the other, by key or by click. */
export function Adjudication({ sentence, second, names }: Props) {
  const other = useMemo(() => sentencesOf(second)[0], [second]);
  const decisions = other && decisionsAgainst(other);
  const shown = place.value;
  useEffect(() => {
    wish.value = undefined;
  }, [shown?.key, shown?.index]);
  const at = decisions ? currentOf(decisions) : -1;

  const choose = (key: string, side: "first" | "second") => {
    const all = decisionsAgainst(other!)!;
    const place = all.findIndex((one) => one.key === key);
    decide(all, all[place]!, side, other!);
    const rest = [...all.slice(place + 1), ...all.slice(0, place)];
    wish.value = rest.find(({ isDecided }) => !isDecided)?.key ?? key;
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isControl = event.ctrlKey || event.metaKey;
      if (isControl && !event.shiftKey && event.key.toLowerCase() === "s") {
        event.preventDefault();
        void saveTreebank();
        return;
      }
      if (event.defaultPrevented || isControl || event.altKey || event.shiftKey) return;
      // Keys may come faster than the page is drawn: what counts is what is decided by now.
      const now = other && decisionsAgainst(other);
      if (!now || now.length === 0 || !singleKeys.value || isTyped(event.target as Element)) return;
      const side = ({ 1: "first", 2: "second" } as const)[event.key];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      // In a drawing, arrow keys go from word to word.
      if (step && (event.target as Element).closest("svg, [role=group]")) return;
      const place = currentOf(now);
      if (side) choose(now[place]!.key, side);
      else if (step) wish.value = now[Math.max(0, Math.min(now.length - 1, place + step))]!.key;
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [other]);

  const left = decisions?.filter(({ isDecided }) => !isDecided).length ?? 0;
  return (
    <section class="card adjudication" aria-label="Decisions">
      <div class="card-top">
        <h2>
          {!decisions
            ? "The words are not the same"
            : decisions.length === 0
              ? "The annotations are the same"
              : left === 0
                ? "All differences are decided"
                : `${left} of ${decisions.length} ${decisions.length === 1 ? "difference" : "differences"} to be decided`}
        </h2>
        <div class="card-actions">
          <button type="button" class="small" onClick={() => takeWhole(second)}>
            Take the whole sentence of {names[1]}
          </button>
          <button type="button" class="small" onClick={() => (view.value = "annotate")}>
            Annotate
          </button>
          <button type="button" class="small" disabled={writing.value} onClick={() => void saveTreebank(true)}>
            Save the result as…
          </button>
        </div>
      </div>
      {decisions && decisions.length > 0 && (
        <>
          <p class="faint">
            Keys: <kbd>1</kbd> keeps the value of {names[0]}, <kbd>2</kbd> takes that of {names[1]}; <kbd>↑</kbd> and{" "}
            <kbd>↓</kbd> choose the difference, <kbd>N</kbd> and <kbd>P</kbd> the sentence.
          </p>
          <div class="table-scroll">
            <table class="differences decisions">
              <HeadRow titles={["Word", "Column", `1: ${names[0]}`, `2: ${names[1]}`]} />
              <tbody>
                {decisions.map((one, i) => (
                  <tr
                    key={one.key}
                    class={`${one.isDecided ? "decided" : ""} ${i === at ? "current" : ""}`}
                    aria-current={i === at ? "true" : undefined}
                  >
                    <th scope="row">
                      <Form node={one.word} forms={sentence.forms} /> <sub>{one.word}</sub>
                    </th>
                    <td>
                      {one.column === "arc" ? "HEAD, DEPREL" : one.column.toUpperCase()}
                      {one.chosen === "other" && <span class="badge edited">edited</span>}
                    </td>
                    {(["first", "second"] as const).map((side) => (
                      <td key={side}>
                        <button
                          type="button"
                          class="small choice"
                          aria-pressed={one.isDecided && one.chosen === side}
                          onClick={() => choose(one.key, side)}
                        >
                          <Value decision={one} side={side} sentence={sentence} />
                        </button>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}

function Value(props: { decision: Decision; side: "first" | "second"; sentence: ShownSentence }) {
  const { decision, side, sentence } = props;
  const value = decision[side];
  if (decision.column !== "arc") return <bdi>{value}</bdi>;
  const [head, label] = value.split("\t");
  if (Number(head) < 0) return <>no head</>;
  return (
    <>
      <Form node={Number(head)} forms={sentence.forms} /> <small>{label}</small>
    </>
  );
}
