// The page at "/": tries /v1/parse. All of it is here, so that it needs nothing from elsewhere.

const STYLE = `
:root { color-scheme: light dark; --back: #fdfdfb; --text: #1d2326; --soft: #667; --line: #d5d8d6; --accent: #0b6e5f; --field: #fff; --bad: #a3261b; }
@media (prefers-color-scheme: dark) { :root { --back: #15191b; --text: #e4e8e6; --soft: #98a2a4; --line: #343b3e; --accent: #5fc9b4; --field: #1d2326; --bad: #ff8f80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem 1rem 3rem; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } p { margin: .25rem 0 1rem; color: var(--soft); } a { color: var(--accent); }
textarea, select, button { font: inherit; color: inherit; background: var(--field); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem; }
textarea { width: 100%; min-height: 6rem; resize: vertical; display: block; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; margin: .7rem 0 1.2rem; }
button { background: var(--accent); border-color: var(--accent); color: var(--back); font-weight: 600; cursor: pointer; padding-inline: 1.2rem; }
button:disabled { opacity: .6; } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
label { color: var(--soft); } #state { color: var(--soft); min-height: 1.5em; } #state.bad { color: var(--bad); }
figure { margin: 0 0 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--field); }
svg { display: block; } svg text { fill: var(--text); font: 15px system-ui, sans-serif; text-anchor: middle; } svg .tag, svg .label { font-size: 11px; fill: var(--soft); }
svg path { fill: none; stroke: var(--accent); stroke-width: 1.4; } svg .label { paint-order: stroke; stroke: var(--field); stroke-width: 4px; } svg .tip { fill: var(--accent); stroke: none; }
pre { overflow-x: auto; background: var(--field); border: 1px solid var(--line); border-radius: 8px; padding: .8rem; font-size: .85rem; }
`;

// The tree is drawn in the page: arcs above the words, each as high as it needs to be to pass over those below it.
const SCRIPT = `
const $ = (id) => document.getElementById(id);
const NS = "http://www.w3.org/2000/svg";
const make = (name, attributes, text) => {
  const node = document.createElementNS(NS, name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  return node;
};
function tree(words) {
  const pad = 22, xs = [0]; let x = 18;
  for (const w of words) { const width = Math.max(w.form.length * 8.6, w.upos.length * 7, w.deprel.length * 6.4, 26); xs.push(x + width / 2); x += width + pad; }
  const arcs = words.filter((w) => w.head > 0).map((w) => ({ from: w.head, to: w.id, label: w.deprel, low: Math.min(w.head, w.id), high: Math.max(w.head, w.id) }));
  arcs.sort((a, b) => a.high - a.low - (b.high - b.low));
  const levels = new Array(words.length + 2).fill(0); let top = 1;
  for (const a of arcs) { let level = 0; for (let i = a.low; i < a.high; i++) level = Math.max(level, levels[i]); a.level = level + 1; for (let i = a.low; i < a.high; i++) levels[i] = a.level; top = Math.max(top, a.level); }
  const base = 26 * top + 34, svg = make("svg", { width: x, height: base + 46, viewBox: "0 0 " + x + " " + (base + 46), role: "img" });
  svg.setAttribute("aria-label", words.map((w) => w.form + " " + w.deprel + (w.head ? " of " + words[w.head - 1].form : "")).join(", "));
  const labels = [];
  for (const a of arcs) {
    const left = a.from < a.to, s = xs[a.from] + (left ? 7 : -7), e = xs[a.to], y = base - 26 * a.level, r = Math.min(14, Math.abs(e - s) / 2) * (left ? 1 : -1);
    svg.append(make("path", { d: "M" + s + " " + base + "V" + (y + 10) + "Q" + s + " " + y + " " + (s + r) + " " + y + "H" + (e - r) + "Q" + e + " " + y + " " + e + " " + (y + 10) + "V" + (base - 5) }));
    svg.append(make("path", { class: "tip", d: "M" + e + " " + base + "l-3.5 -7h7z" }));
    labels.push(make("text", { class: "label", x: (s + e) / 2, y: y + 4 }, a.label));
  }
  for (const w of words) {
    if (w.head === 0) { svg.append(make("path", { d: "M" + xs[w.id] + " 14V" + (base - 5) })); svg.append(make("path", { class: "tip", d: "M" + xs[w.id] + " " + base + "l-3.5 -7h7z" })); labels.push(make("text", { class: "label", x: xs[w.id], y: 12 }, w.deprel)); }
    svg.append(make("text", { x: xs[w.id], y: base + 20 }, w.form), make("text", { class: "tag", x: xs[w.id], y: base + 36 }, w.upos === "_" ? "" : w.upos));
  }
  svg.append(...labels);
  return svg;
}
let last;
async function run() {
  last?.abort(); const control = last = new AbortController();
  $("go").disabled = true; $("state").className = ""; $("state").textContent = "Parsing…";
  const as = $("as").value, begun = performance.now();
  try {
    const answer = await fetch("v1/parse", { method: "POST", signal: control.signal, headers: { "Content-Type": "application/json", Accept: as === "tree" ? "application/json" : as }, body: JSON.stringify({ text: $("text").value, model: $("model").value || undefined }) });
    const ms = () => Math.round(performance.now() - begun) + " ms";
    if (!answer.ok) throw new Error((await answer.json()).detail);
    $("out").replaceChildren();
    if (as === "tree") {
      const { sentences } = await answer.json(); const most = 200;
      for (const { words } of sentences.slice(0, most)) { const figure = document.createElement("figure"); figure.tabIndex = 0; figure.append(tree(words)); $("out").append(figure); }
      $("state").textContent = sentences.length === 0 ? "There are no words in this text." : sentences.length + (sentences.length === 1 ? " sentence, " : " sentences, ") + ms() + (sentences.length > most ? " (the first " + most + " are drawn)" : "");
    } else { const pre = document.createElement("pre"); pre.tabIndex = 0; pre.textContent = await answer.text(); $("out").append(pre); $("state").textContent = ms(); }
  } catch (error) { if (control.signal.aborted) return; $("state").className = "bad"; $("state").textContent = error.message || "The server does not answer."; }
  $("go").disabled = false;
}
$("form").addEventListener("submit", (event) => { event.preventDefault(); run(); });
$("text").addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(); });
$("as").addEventListener("change", run);
fetch("v1/models").then((answer) => answer.json()).then(({ models }) => { for (const { name } of models) $("model").append(new Option(name)); if (models.length < 2) $("models").hidden = true; run(); });
`;

/** HTML; its style and script stand in it. */
export const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stemma server</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main>
<h1>Stemma</h1>
<p>Dependency trees over HTTP: <a href="openapi.json">openapi.json</a>, <a href="v1/models">models</a>, <a href="health">health</a>, <a href="metrics">metrics</a>.</p>
<form id="form">
<label for="text">Text</label>
<textarea id="text" spellcheck="false">A parser reads words from left to right. What it builds is a tree.</textarea>
<div class="row"><button id="go">Parse</button>
<label id="models">Model <select id="model" aria-label="Model"></select></label>
<label>Show <select id="as" aria-label="Show"><option value="tree">trees</option><option value="application/json">JSON</option><option value="application/x-ndjson">NDJSON</option><option value="text/x-conllu">CoNLL-U</option></select></label>
</div></form>
<div id="state" role="status"></div><div id="out"></div>
</main><script>${SCRIPT}</script></body></html>
`;
