import { useEffect } from "preact/hooks";
import { embedded } from "../state/address/embed.js";
import { presenting } from "../state/derivation/stage.js";
import { message } from "../state/shown/say.js";
import { modelLoading, view } from "../state/shown/state.js";
import { EmbeddedFoot } from "./EmbeddedFoot.js";
import { Header } from "./Header.js";
import { fetchAllViews, fetchView, views } from "./views.js";

const TITLES = {
  parse: "Parse",
  step: "Step through",
  compare: "Compare",
  treebank: "Treebank",
  annotate: "Annotate",
  learn: "Lessons",
};

export function App() {
  const View = views.value[view.value];
  const isLoading = modelLoading.value;
  useEffect(() => void fetchView(view.value), [view.value]);
  useEffect(() => {
    if (!isLoading) fetchAllViews();
  }, [isLoading]);
  const title = TITLES[view.value];
  const isStage = presenting.value && (view.value === "step" || view.value === "learn");
  useEffect(() => {
    document.title = `${title} – Stemma Studio`;
    // The focus may be gone with the view before.
    if (document.activeElement === document.body && !embedded)
      document.getElementById("main")?.focus({ preventScroll: true });
  }, [title]);
  return (
    <>
      {!embedded && !isStage && (
        <>
          <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
            To the content
          </button>
          <Header />
        </>
      )}
      <main
        id="main"
        tabIndex={-1}
        class={`view-${view.value} ${embedded ? "embedded" : ""} ${isStage ? "presenting" : ""}`}
      >
        <h1 class="unseen">{title}</h1>
        {View ? <View /> : <p class="faint">Loading …</p>}
        {embedded && <EmbeddedFoot />}
      </main>
      <div class={`toast ${message.value.visible ? "visible" : ""}`} role="status" aria-live="polite">
        {message.value.text}
      </div>
    </>
  );
}
