import { useEffect } from "preact/hooks";
import { CompareView } from "../comparison/CompareView.js";
import { StepView } from "../derivation/StepView.js";
import { EmbeddedFoot } from "../embedding/EmbeddedFoot.js";
import { embedded } from "../embedding/embed.js";
import { ParseView } from "../input/ParseView.js";
import { LessonsView } from "../lessons/LessonsView.js";
import { message, view } from "../state.js";
import { TreebankView } from "../treebank/TreebankView.js";
import { AnnotateView } from "../workbench/AnnotateView.js";
import { Header } from "./Header.js";

const VIEWS = {
  parse: ParseView,
  step: StepView,
  compare: CompareView,
  treebank: TreebankView,
  annotate: AnnotateView,
  learn: LessonsView,
};
const TITLES = {
  parse: "Parse",
  step: "Step through",
  compare: "Compare",
  treebank: "Treebank",
  annotate: "Annotate",
  learn: "Lessons",
};

export function App() {
  const View = VIEWS[view.value];
  const title = TITLES[view.value];
  useEffect(() => {
    document.title = `${title} – Stemma Studio`;
    // What had the focus may be gone with the view before.
    if (document.activeElement === document.body && !embedded)
      document.getElementById("main")?.focus({ preventScroll: true });
  }, [title]);
  return (
    <>
      {!embedded && (
        <>
          <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
            To the content
          </button>
          <Header />
        </>
      )}
      <main id="main" tabIndex={-1} class={`view-${view.value} ${embedded ? "embedded" : ""}`}>
        <h1 class="unseen">{title}</h1>
        <View />
        {embedded && <EmbeddedFoot />}
      </main>
      <div class={`toast ${message.value.visible ? "visible" : ""}`} role="status" aria-live="polite">
        {message.value.text}
      </div>
    </>
  );
}
