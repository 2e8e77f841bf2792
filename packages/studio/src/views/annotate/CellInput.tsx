import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CompletedColumn } from "../../protocol/treebank.js";
import type { EditableColumn } from "../../state/annotation/actions.js";
import { ask } from "../../state/shown/client.js";

export type TableColumn = EditableColumn | "head" | "deprel";

interface Props {
  column: TableColumn;
  form: string;
  upos: string;
  name: string;
  value: string;
  /** Typed before the page was loaded again. */
  draft: string | undefined;
  onType(typed: string): void;
  /** The text that was typed, and how many rows and columns to go on. */
  onTake(value: string, step: [number, number]): void;
  onCancel(): void;
}

const COMPLETED: readonly string[] = ["lemma", "upos", "xpos", "feats", "deprel"] satisfies CompletedColumn[];

/** A cell that is being edited: free entry, with what the treebank has to choose from. */
export function CellInput({ column, form, upos, name, value, draft, onType, onTake, onCancel }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(draft ?? value);
  const [values, setValues] = useState<readonly string[]>([]);
  const isOver = useRef(false);
  useLayoutEffect(() => {
    input.current?.focus();
    if (draft === undefined) input.current?.select();
  }, []);
  useEffect(() => {
    if (!COMPLETED.includes(column)) return;
    ask("completions", { column: column as CompletedColumn, form, upos }).then(
      (answer) => answer && setValues(answer.filter((one) => one !== "_")),
      // Without a list there is still the field.
      () => {},
    );
  }, [column, form, upos]);
  const take = (step: [number, number]) => {
    if (isOver.current) return;
    isOver.current = true;
    onTake(typed, step);
  };
  return (
    <>
      <input
        ref={input}
        type="text"
        class="cell-input"
        aria-label={name}
        list={values.length > 0 ? `${id}-values` : undefined}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          onType(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          // Ctrl+Enter and Ctrl+S are for the whole view, once this is taken.
          if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") take([0, 0]);
          else if (event.key === "Enter") take(event.ctrlKey || event.metaKey ? [0, 0] : [1, 0]);
          else if (event.key === "Tab") take([0, event.shiftKey ? -1 : 1]);
          else if (event.key === "Escape") {
            isOver.current = true;
            onCancel();
          } else return event.stopPropagation();
          if (!(event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            event.stopPropagation();
          }
        }}
        onBlur={() => {
          // A window that loses the focus, or is left (Firefox), keeps its element: the text is still being typed.
          if (document.activeElement !== input.current) take([0, 0]);
        }}
        onClick={(event) => event.stopPropagation()}
      />
      {values.length > 0 && (
        <datalist id={`${id}-values`}>
          {values.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}
