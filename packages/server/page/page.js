// The page of the server: sends a text to /v1/parse and shows the trees, which the server draws.
const $ = (id) => document.getElementById(id);

/** Trees of a long text that are shown. */
const MOST_DRAWN = 200;

let last;

async function run() {
  last?.abort();
  const control = new AbortController();
  last = control;
  $("go").disabled = true;
  say("Parsing…");
  const begun = performance.now();
  try {
    const answer = await ask(control.signal);
    if (!answer.ok) throw new Error((await answer.json()).detail);
    $("out").replaceChildren();
    const shown = $("as").value === "tree" ? showTrees((await answer.json()).sentences) : showText(await answer.text());
    say(`${shown}${Math.round(performance.now() - begun)} ms`);
  } catch (error) {
    if (control.signal.aborted) return;
    say(error.message || "The server does not answer.", "bad");
  }
  $("go").disabled = false;
}

function ask(signal) {
  const as = $("as").value;
  const drawn = as === "tree";
  const headers = { "Content-Type": "application/json", Accept: drawn ? "application/json" : as };
  const body = JSON.stringify({ text: $("text").value, model: $("model").value || undefined, svg: drawn || undefined });
  return fetch("v1/parse", { method: "POST", signal, headers, body });
}

function showTrees(sentences) {
  for (const { svg } of sentences.slice(0, MOST_DRAWN)) {
    const figure = document.createElement("figure");
    figure.tabIndex = 0;
    figure.innerHTML = svg;
    $("out").append(figure);
  }
  const count = `${sentences.length} ${sentences.length === 1 ? "sentence" : "sentences"}`;
  return `${count}${sentences.length > MOST_DRAWN ? ` (the first ${MOST_DRAWN} are drawn)` : ""}, `;
}

function showText(text) {
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  pre.textContent = text;
  $("out").append(pre);
  return "";
}

function say(text, kind = "") {
  $("state").className = kind;
  $("state").textContent = text;
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
$("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
});
$("as").addEventListener("change", run);

const { models } = await (await fetch("v1/models")).json();
for (const { name } of models) $("model").append(new Option(name));
$("models").hidden = models.length < 2;
run();
