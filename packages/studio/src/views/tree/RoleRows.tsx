import type { DrawablePredicate } from "@stemma/core";
import type { Geometry } from "./layout/arcs.js";
import { explainRole } from "./role-names.js";

interface Props {
  place: Geometry;
  predicates: readonly DrawablePredicate[];
  /** The texts below the words, a row for each predicate. */
  rows: readonly (readonly string[])[];
  /** The word that is pointed at; 0 if none. */
  current: number;
}

/** Predicates below the words, as `stemma draw` has them: the sense below its word, roles below those of arguments. */
export function RoleRows({ place, predicates, rows, current }: Props) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <g class="roles" aria-hidden="true">
      {rows.map((row, k) => {
        const { word: own, sense } = predicates[k]!;
        const state = current === 0 ? "" : row[current] ? "to-current" : "dim";
        return row.map((text, word) =>
          text === "" ? null : (
            <text key={`${k} ${word}`} class={`${word === own ? "sense" : "role"} ${state}`} {...place.role(k, word)}>
              {text}
              <title>{titleOf(text, sense, word === own)}</title>
            </text>
          ),
        );
      })}
    </g>
  );
}

function titleOf(text: string, sense: string, isSense: boolean): string {
  if (isSense) return `Predicate ${sense}`;
  const meaning = explainRole(text);
  return `${text} of ${sense}${meaning ? `: ${meaning}` : ""}`;
}
