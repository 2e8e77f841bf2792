import type { Sentence } from "@stemma/core";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { split } from "../../state/annotation/actions.js";

interface Props {
  k: number;
  sentence: Sentence;
  word: number;
  onClose(): void;
}

/** Where a word is split: spaces between its parts. */
export function SplitForm({ k, sentence, word, onClose }: Props) {
  const id = useId();
  const form = sentence.form(word);
  const [parts, setParts] = useState(form);
  const [oneToken, setOneToken] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const isInToken = sentence.multiWordTokens.some(({ from, to }) => from <= word && to >= word);
  const isWritten = parts.replace(/\s+/g, "") === form;
  return (
    <form
      class="split-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (split(k, word, parts, oneToken)) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <label for={id}>
        Split <bdi>{form}</bdi>: type a space between the parts
      </label>
      <input
        id={id}
        ref={input}
        type="text"
        dir="auto"
        spellcheck={false}
        autocomplete="off"
        value={parts}
        onInput={(event) => setParts(event.currentTarget.value)}
      />
      {!isInToken && (
        <label class="check">
          <input
            type="checkbox"
            checked={oneToken || !isWritten}
            disabled={!isWritten}
            onChange={(event) => setOneToken(event.currentTarget.checked)}
          />
          Keep as one token of the text
        </label>
      )}
      <button type="submit" class="small primary" disabled={!/\S\s+\S/.test(parts)}>
        Split
      </button>
      <button type="button" class="small" onClick={onClose}>
        Cancel
      </button>
    </form>
  );
}
