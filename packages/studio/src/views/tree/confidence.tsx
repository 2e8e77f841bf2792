// How sure the model is of an arc, by how its line is drawn.

const LEVELS = [
  { least: 0.95, class: "", title: "95 % or more" },
  { least: 0.75, class: "less-sure", title: "75 to 95 %" },
  { least: 0.5, class: "unsure", title: "50 to 75 %" },
  { least: 0, class: "doubtful", title: "less than 50 %" },
] as const;

/** The class of an arc of which the model is so sure, from 0 to 1. */
export function confidenceClass(confidence: number | undefined): string {
  return confidence === undefined ? "" : LEVELS.find(({ least }) => confidence >= least)!.class;
}

export function ConfidenceLegend() {
  return (
    <div class="confidence-legend">
      Confidence of the model:
      {LEVELS.map(({ class: name, title }) => (
        <span key={title} class={`arc ${name}`}>
          <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true" class="tree-svg">
            <path class="line" d="M1 4H27" />
          </svg>
          {title}
        </span>
      ))}
    </div>
  );
}
