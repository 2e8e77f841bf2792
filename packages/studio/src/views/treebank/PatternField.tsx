import { useEffect, useRef, useState } from "preact/hooks";
import { patternProblem, query, search } from "../../state/treebank/treebank.js";

const TYPING = 400;

/** A pattern over trees, in the language of `stemma search`, and what its matches are counted by. */
export function PatternField() {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // Text that is being typed stays while the list around it changes.
  const [pattern, setPattern] = useState(query.peek().pattern);
  const [by, setBy] = useState(query.peek().by);
  const later = (change: { pattern?: string; by?: string }) => {
    clearTimeout(timer.current);
    const wanted = { pattern: pattern.trim(), by: by.trim(), ...change, value: undefined };
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void search(wanted);
    }, TYPING);
  };
  // A link may be followed meanwhile: then this is what is searched for.
  const { pattern: searched, by: counted } = query.value;
  useEffect(() => {
    if (timer.current !== undefined) return;
    if (searched !== pattern.trim()) setPattern(searched);
    if (counted !== by.trim()) setBy(counted);
  }, [searched, counted]);
  const names = [...pattern.matchAll(/\}=(\w+)/g)].map((match) => match[1]!);
  const offered = ["lemma", "form", "upos", "deprel"].flatMap((attribute) => [
    attribute,
    ...names.map((name) => `${name}.${attribute}`),
  ]);
  const isWrong = patternProblem.value !== undefined && pattern.trim() !== "";
  return (
    <div class="pattern-search">
      <label class="grow">
        Pattern
        <input
          type="search"
          class="mono"
          spellcheck={false}
          autocapitalize="off"
          placeholder="{upos:VERB}=verb >nsubj {}=subject"
          aria-invalid={isWrong}
          aria-describedby={isWrong ? "pattern-problem" : undefined}
          value={pattern}
          onInput={(event) => {
            const { value } = event.currentTarget;
            setPattern(value);
            later({ pattern: value.trim() });
          }}
        />
      </label>
      <label>
        Count by
        <input
          type="text"
          list="pattern-attributes"
          class="mono"
          spellcheck={false}
          autocapitalize="off"
          placeholder={names[0] ? `${names[0]}.lemma` : "lemma"}
          disabled={pattern.trim() === ""}
          value={by}
          onInput={(event) => {
            const { value } = event.currentTarget;
            setBy(value);
            later({ by: value.trim() });
          }}
        />
        <datalist id="pattern-attributes">
          {offered.map((attribute) => (
            <option key={attribute} value={attribute} />
          ))}
        </datalist>
      </label>
      {isWrong && (
        <p id="pattern-problem" class="note bad" role="alert">
          {patternProblem.value}
        </p>
      )}
    </div>
  );
}
