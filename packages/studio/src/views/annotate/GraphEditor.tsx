import type { Sentence } from "@stemma/core";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { changeArc } from "../../state/annotation/graph-actions.js";
import { isRightToLeft } from "../../state/shown/direction.js";
import { EnhancedGraphDrawing } from "../parse/EnhancedView.js";
import { type GraphArc, graphOf } from "../parse/enhanced-graph.js";

interface Props {
  k: number;
  sentence: Sentence;
  /** Labels to choose from. */
  labels: readonly string[];
}

/** An arc that is being made or changed: `before` as it is, undefined for a new one. IDs of nodes, "0" for the root. */
interface Edited {
  before: { head: string; label: string } | undefined;
  dependent: string;
  head: string;
  label: string;
}

/** The enhanced graph to be edited in the drawing: arcs by their labels, new ones from word to word. */
export function GraphEditor({ k, sentence, labels }: Props) {
  const graph = useMemo(() => graphOf(sentence), [sentence]);
  const [edited, setEdited] = useState<Edited | undefined>(undefined);
  useEffect(() => setEdited(undefined), [sentence]);
  const idOf = (place: number) => (place < 0 ? "0" : graph.words[place]!.id);
  const before = ({ head, label }: GraphArc) => ({ head: idOf(head), label });
  const hasMore = graph.words.some(({ empty }) => empty) || graph.arcs.some(({ basic }) => !basic);
  return (
    <details class="enhanced" open={hasMore}>
      <summary>Enhanced graph</summary>
      <EnhancedGraphDrawing
        graph={graph}
        rightToLeft={isRightToLeft(sentence.text)}
        name={sentence.text}
        onArc={(arc) => setEdited({ before: before(arc), dependent: idOf(arc.dependent), ...before(arc) })}
        onMove={(arc, head) => changeArc(k, idOf(arc.dependent), before(arc), { head: idOf(head), label: arc.label })}
        onJoin={(head, dependent) =>
          setEdited({
            before: undefined,
            dependent: idOf(dependent),
            head: idOf(head),
            label: head < 0 ? "root" : "dep",
          })
        }
      />
      <p class="faint">
        Click a label to change or remove its arc, or drag it to another head. Drag from a word to its dependent, or
        click a word, to add an arc. E in the table adds an empty node after a word.
      </p>
      {edited && (
        <ArcForm
          key={JSON.stringify(edited)}
          sentence={sentence}
          edited={edited}
          nodes={graph.words}
          labels={labels}
          onTake={(after) => {
            changeArc(k, edited.dependent, edited.before, after);
            setEdited(undefined);
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </details>
  );
}

function ArcForm(props: {
  sentence: Sentence;
  edited: Edited;
  nodes: readonly { id: string; form: string }[];
  labels: readonly string[];
  onTake(after: { head: string; label: string } | undefined): void;
  onClose(): void;
}) {
  const { edited, nodes, labels, onTake, onClose } = props;
  const [head, setHead] = useState(edited.head);
  const [label, setLabel] = useState(edited.label);
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const named = nodes.find(({ id }) => id === edited.dependent);
  return (
    <form
      class="split-form arc-form"
      aria-label="Arc of the enhanced graph"
      onSubmit={(event) => {
        event.preventDefault();
        onTake({ head, label: label.trim() });
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <span>
        {edited.dependent} <bdi>{named?.form}</bdi>:
      </span>
      <label>
        Label{" "}
        <input
          ref={input}
          type="text"
          list={list}
          autocomplete="off"
          spellcheck={false}
          value={label}
          onInput={(event) => setLabel(event.currentTarget.value)}
        />
      </label>
      <datalist id={list}>
        {labels.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <label>
        Head{" "}
        <select value={head} onChange={(event) => setHead(event.currentTarget.value)}>
          <option value="0">root</option>
          {nodes
            .filter(({ id }) => id !== edited.dependent)
            .map(({ id, form }) => (
              <option key={id} value={id}>
                {id} {form}
              </option>
            ))}
        </select>
      </label>
      <button type="submit" class="small primary">
        {edited.before ? "Change" : "Add"}
      </button>
      {edited.before && (
        <button type="button" class="small" onClick={() => onTake(undefined)}>
          Remove
        </button>
      )}
      <button type="button" class="small" onClick={onClose}>
        Cancel
      </button>
    </form>
  );
}
