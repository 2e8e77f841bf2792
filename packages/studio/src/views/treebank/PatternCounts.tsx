import { found, matches, query, search } from "../../state/treebank/treebank.js";

/** How many matches a pattern has, and how many with each value; a value is a filter on the list. */
export function PatternCounts() {
  const { matches: total, counts, moreValues = 0 } = found.value ?? {};
  const { by, value } = query.value;
  if (total === undefined) return null;
  const sentences = matches.value?.length ?? 0;
  const shown = value === undefined ? total : (counts?.find(([one]) => one === value)?.[1] ?? 0);
  const most = counts?.[0]?.[1] ?? 1;
  return (
    <section class="pattern-counts" aria-label="Matches">
      <p>
        {number(shown)} {shown === 1 ? "match" : "matches"} in {number(sentences)}{" "}
        {sentences === 1 ? "sentence" : "sentences"}
        {value !== undefined && (
          <>
            {" "}
            with {by} <bdi>{value}</bdi>{" "}
            <button type="button" class="small" onClick={() => void search({ value: undefined })}>
              Show all
            </button>
          </>
        )}
      </p>
      {counts && (
        <div class="pattern-values">
          {counts.map(([one, count]) => (
            <button
              key={one}
              type="button"
              class="pattern-value"
              aria-pressed={value === one}
              style={{ "--share": `${(100 * count) / most}%` }}
              onClick={() => void search({ value: value === one ? undefined : one })}
            >
              <bdi>{one}</bdi> <b>{number(count)}</b>
            </button>
          ))}
          {moreValues > 0 && <span class="faint">and {number(moreValues)} more values</span>}
        </div>
      )}
    </section>
  );
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
