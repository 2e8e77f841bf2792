// The page of the server: sends a text to /v1/parse and shows the trees, which the server draws.
const $ = (id) => document.getElementById(id);

/** Trees of a long text that are shown. */
const MOST_DRAWN = 200;

/** What is in the box at first, by the language of the model. */
const EXAMPLES = {
  en: $("text").value,
  de: "Die alte Lehrerin schrieb gestern einen langen Brief an ihre Freundin.",
  es: "La vieja maestra escribió ayer una larga carta a su amiga.",
  fa: "معلم پیر دیروز نامه‌ای بلند به دوستش نوشت.",
  fi: "Vanha opettaja kirjoitti eilen pitkän kirjeen ystävälleen.",
  fr: "La vieille dame a écrit hier une longue lettre à son amie.",
  it: "La vecchia maestra ha scritto ieri una lunga lettera alla sua amica.",
  ko: "나이 든 선생님은 어제 친구에게 긴 편지를 썼다.",
  nl: "De oude lerares schreef gisteren een lange brief aan haar vriendin.",
  pt: "A velha professora escreveu ontem uma longa carta à sua amiga.",
  ru: "Старая учительница вчера написала длинное письмо своей подруге.",
  tr: "Yaşlı öğretmen dün arkadaşına uzun bir mektup yazdı.",
  zh: "老师昨天给她的朋友写了一封很长的信。",
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
