// A derivation as one HTML file that needs no Studio, no model and no network: for those who cannot open a link to this
// computer, and for slides.

import type { Derivation } from "../../protocol/derivation.js";
import { transitionName } from "../../state/derivation/names.js";
import { nameOf, save, toConllu } from "../../state/export/export.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { escaped, framesOf } from "./frames.js";

export function savePage(derivation: Derivation, sentence: ShownSentence, title: string): void {
  save(new Blob([pageOf(derivation, sentence, title)], { type: "text/html" }), `${nameOf(sentence)}.html`);
}

function pageOf(derivation: Derivation, sentence: ShownSentence, title: string): string {
  const { count, parts, frame } = framesOf(derivation, sentence);
  // Words and arcs are the same in many pictures and are written once.
  const numbers = new Map<string, number>();
  const numberOf = (part: string) => {
    if (!numbers.has(part)) numbers.set(part, numbers.size);
    return numbers.get(part)!;
  };
  const steps = Array.from({ length: count }, (_, step) => parts(step).map(numberOf));
  const data = JSON.stringify({ parts: [...numbers.keys()], steps }).replaceAll("<", "\\u003c");
  const transitions = derivation.configurations.flatMap(({ choices, taken }) => {
    const choice = choices[taken];
    return choice ? [`<li>${escaped(transitionName(choice))}</li>`] : [];
  });
  const text = escaped(sentence.forms.slice(1).join(" "));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #1b2130; background: white; max-width: 1200px; margin: 0 auto; padding: 16px; }
h1 { font-size: 1.25rem; margin: 0; }
#frame { overflow-x: auto; }
#frame svg { max-width: 100%; height: auto; }
.player { display: flex; gap: 8px; align-items: center; margin: 12px 0; }
.player input { flex: 1; min-width: 0; }
button { font: inherit; padding: 4px 12px; }
pre { overflow-x: auto; tab-size: 4; }
[aria-current] { font-weight: bold; }
</style>
<h1>${text}</h1>
<p>${escaped(title)}, ${count - 1} transitions</p>
<div class="player">
<button type="button" data-by="-1" aria-label="One step back">‹</button>
<button type="button" id="play">Play</button>
<button type="button" data-by="1" aria-label="One step on">›</button>
<input type="range" id="step" min="0" max="${count - 1}" value="0" aria-label="Step">
</div>
<div id="frame">${frame(count - 1)}</div>
<details><summary>Transitions</summary><ol>${transitions.join("")}</ol></details>
<details><summary>CoNLL-U</summary><pre>${escaped(toConllu(sentence, derivation.tree, false))}</pre></details>
<script>
const { parts, steps } = ${data};
const slider = document.getElementById("step"), play = document.getElementById("play");
const listed = document.querySelectorAll("ol li");
let timer;
function go(to) {
  const step = Math.max(0, Math.min(steps.length - 1, to));
  slider.value = step;
  document.getElementById("frame").innerHTML = steps[step].map((i) => parts[i]).join("");
  listed.forEach((item, i) => i === step - 1 ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current"));
  if (step === steps.length - 1) stop();
}
function stop() {
  clearInterval(timer);
  timer = undefined;
  play.textContent = "Play";
}
play.onclick = () => {
  if (timer) return stop();
  if (+slider.value === steps.length - 1) go(0);
  timer = setInterval(() => go(+slider.value + 1), 900);
  play.textContent = "Pause";
};
slider.oninput = () => go(+slider.value);
for (const button of document.querySelectorAll("[data-by]")) button.onclick = () => go(+slider.value + +button.dataset.by);
addEventListener("keydown", (event) => {
  if (event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = { ArrowRight: +slider.value + 1, PageDown: +slider.value + 1, ArrowLeft: slider.value - 1, PageUp: slider.value - 1, Home: 0, End: steps.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});
go(0);
</script>
`;
}
