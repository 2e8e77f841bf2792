import type { View } from "../state/address/address.js";
import { hasChoice } from "../state/model/available.js";
import { openModelFile } from "../state/model/load.js";
import { model, view } from "../state/shown/state.js";
import { FilePicker } from "../views/common/FilePicker.js";
import { ModelMenu } from "./ModelMenu.js";
import { ThemeToggle } from "./ThemeToggle.js";

/** Names, and what is left out of them on a phone. */
const TABS: readonly [view: View, title: string, rest?: string][] = [
  ["parse", "Parse"],
  ["step", "Step", " through"],
  ["compare", "Compare"],
  ["treebank", "Treebank"],
  ["annotate", "Annotate"],
  ["learn", "Lessons"],
];

export function Header() {
  return (
    <header class="top">
      <a class="brand" href="#parse" aria-label="Stemma Studio, start page">
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <path d="M6 23v-6a6 6 0 0 1 6-6h8a6 6 0 0 1 6 6v6" />
          <path d="M13 23v-3a3 3 0 0 1 3-3h7" class="second" />
          <circle cx="6" cy="26" r="2.2" />
          <circle cx="13" cy="26" r="2.2" />
          <circle cx="19.500" cy="26" r="2.2" />
          <circle cx="26" cy="26" r="2.2" />
        </svg>
        <span>
          Stemma <b>Studio</b>
        </span>
      </a>
      <nav aria-label="Views">
        {TABS.map(([name, title, rest]) => (
          <button
            key={name}
            type="button"
            class="tab"
            aria-current={view.value === name ? "page" : undefined}
            onClick={() => (view.value = name)}
          >
            {title}
            {rest && <span class="rest">{rest}</span>}
          </button>
        ))}
      </nav>
      <div class="top-right">
        <ModelMenu />
        <ModelChip />
        <ThemeToggle />
      </div>
    </header>
  );
}

/** The model that is there, or beside a menu, which names it, what opens another one. */
function ModelChip() {
  const state = model.value;
  const title =
    state.kind === "ready"
      ? `${state.info.name}: ${state.info.kind}${state.info.parts.includes("roles") ? ", with semantic roles" : ""}, ${megabytes(state.info.bytes)}. Click to open another model.`
      : "Open a model file";
  return (
    <FilePicker
      class={`model-chip ${state.kind}`}
      title={title}
      name="Model file"
      onFile={(file) => void openModelFile(file)}
    >
      <span class="dot" aria-hidden="true" />
      <span class="model-name">
        {state.kind === "ready" && (hasChoice.value ? "Open…" : state.info.name)}
        {state.kind === "loading" && `Loading ${state.done > 0 ? `${Math.round(100 * state.done)} %` : "…"}`}
        {state.kind === "missing" && "Open a model"}
      </span>
    </FilePicker>
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
