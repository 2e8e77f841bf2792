import type { ComponentChildren } from "preact";
import { longText, model, parseError, parsing, text } from "../../state/shown/state.js";

/** Stands where a tree will be: a shape while it is on its way, words when there is none. */
export function NoTree() {
  if (parseError.value) return <Empty title="This text cannot be parsed">{parseError.value}</Empty>;
  if (model.value.kind === "loading" || longText.value || parsing.value) return <Skeleton />;
  if (model.value.kind === "missing" && text.value.trim() !== "") {
    return <Empty title="No tree without a model">Paste CoNLL-U with heads, or open a model file.</Empty>;
  }
  return <Empty title="Nothing to draw yet">Type a sentence above, or choose one of the examples.</Empty>;
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <svg viewBox="0 0 120 60" width="120" height="60" aria-hidden="true">
        <path d="M15 45V30q0-12 12-12h66q12 0 12 12v15M45 45v-6q0-9 9-9h12q9 0 9 9v6" />
        <circle cx="15" cy="51" r="4" />
        <circle cx="45" cy="51" r="4" />
        <circle cx="75" cy="51" r="4" />
        <circle cx="105" cy="51" r="4" />
      </svg>
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}

export function Skeleton() {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      <div class="skeleton-arcs" />
      <div class="skeleton-words">
        {[44, 36, 84, 60, 62, 28, 52, 46].map((width, i) => (
          <span key={i} style={{ width: `${width}px` }} />
        ))}
      </div>
    </div>
  );
}
