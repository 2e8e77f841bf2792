import { type Explanation, explainLabel, explainUpos } from "./universal.js";

/** The meanings of a word's tag and label, each with a link to Universal Dependencies. */
export function Explained({ upos, label }: { upos: string; label: string | undefined }) {
  const rows: [name: string, explanation: Explanation | undefined][] = [
    [upos, explainUpos(upos)],
    [label ?? "", label === undefined ? undefined : explainLabel(label)],
  ];
  if (rows.every(([, explanation]) => !explanation)) return null;
  return (
    <p class="explained">
      {rows.map(
        ([name, explanation]) =>
          explanation && (
            <span key={name}>
              <a href={explanation.link} target="_blank" rel="noreferrer">
                {name}
              </a>{" "}
              {explanation.text}
            </span>
          ),
      )}
    </p>
  );
}
