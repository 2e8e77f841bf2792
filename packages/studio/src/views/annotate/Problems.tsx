import type { Violation } from "@stemma/core/treebank";

/** More than so many are behind a button. */
const FEW = 4;

/** Violations of the guidelines; each leads to its word and to the page about it. */
export function Problems({ problems, onWord }: { problems: readonly Violation[]; onWord(word: number): void }) {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (problems.length === 0) {
    return <p class="checked">No problems found.</p>;
  }
  const title = `${problems.length} ${problems.length === 1 ? "problem" : "problems"}${errors > 0 ? `, ${errors} of them ${errors === 1 ? "an error" : "errors"}` : ""}`;
  return (
    <details class="problems" open={problems.length <= FEW || errors > 0}>
      <summary>{title}</summary>
      <ul>
        {problems.map(({ rule, severity, word, message, link }, i) => (
          <li key={`${rule} ${i}`} class={severity}>
            {word > 0 ? (
              <button type="button" class="problem" onClick={() => onWord(word)}>
                {message}
              </button>
            ) : (
              message
            )}{" "}
            <a href={link} target="_blank" rel="noreferrer">
              guidelines
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
