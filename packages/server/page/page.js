// The page of the server: sends a text to /v1/parse and shows the trees, which the server draws.
const $ = (id) => document.getElementById(id);

/** Trees of a long text that are shown. */
const MOST_DRAWN = 200;

/** What is in the box at first, by the language of the model. */
const EXAMPLES = {
  en: $("text").value,
  de: "Die alte Mühle am Fluss mahlt noch jeden Morgen Korn.",
  es: "El viejo molino junto al río todavía muele trigo cada mañana.",
  fa: "آسیاب قدیمی کنار رودخانه هنوز هر روز صبح گندم آرد می‌کند.",
  fi: "Vanha mylly joen rannalla jauhaa yhä viljaa joka aamu.",
  fr: "Le vieux moulin au bord de la rivière moud encore du blé chaque matin.",
  it: "Il vecchio mulino sul fiume macina ancora il grano ogni mattina.",
  ko: "강가의 오래된 방앗간은 지금도 매일 아침 밀을 빻는다.",
  nl: "De oude molen aan de rivier maalt nog elke ochtend graan.",
  pt: "O velho moinho junto ao rio ainda mói trigo todas as manhãs.",
  ru: "Старая мельница у реки до сих пор каждое утро мелет зерно.",
  tr: "Nehir kıyısındaki eski değirmen hâlâ her sabah buğday öğütüyor.",
  zh: "河边的老磨坊每天早上仍然磨面粉。",
};

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
const languages = new Intl.DisplayNames(["en"], { type: "language" });
for (const { name, language } of models) {
  $("model").append(new Option(language ? `${languages.of(language)}: ${name}` : name, name));
}
$("models").hidden = models.length < 2;
$("model").addEventListener("change", () => {
  showExample();
  run();
});
showExample();
run();

/** The example in the language of the model, unless somebody has written a text. */
function showExample() {
  const language = models.find(({ name }) => name === $("model").value)?.language;
  const example = EXAMPLES[language];
  if (example && Object.values(EXAMPLES).includes($("text").value)) $("text").value = example;
}
