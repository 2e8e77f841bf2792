// The script of the pattern tester.
import { load, readTreebank } from "@stemma/core";
import { Matcher } from "@stemma/core/search";
import { download } from "../packages/studio/src/state/model/download.js";

/** As many trees as a page draws at once. */
const MOST_DRAWN = 50;

const [recipe, pattern, status, matches, source] = ["recipe", "pattern", "status", "matches", "sentences"].map((id) =>
  document.getElementById(id),
);

/** The model, fetched when a text is to be parsed for the first time. */
let parser;
/** The text that was read last, so that a change of the pattern does not read it again. */
let read = { text: undefined, sentences: [] };

async function loadModel(name) {
  return load(await download(fetch(new URL(name, document.baseURI)), () => {}));
}

async function sentencesOf(text) {
  if (read.text === text) return read.sentences;
  let sentences;
  if (/^(?:#.*\n)*\d+(?:[-.]\d+)?\t/m.test(text))
    sentences = readTreebank(text, { source: "sentences", allowNonTrees: true });
  else {
    if (location.protocol === "file:" && text.trim() !== "")
      throw new Error(
        "To parse text, open this page from a web server. You can search sentences in CoNLL-U here as well.",
      );
    parser ??= loadModel("studio/en.stemma");
    sentences = text.trim() === "" ? [] : [...(await parser).parse(text)];
  }
  read = { text, sentences };
  return sentences;
}

function show(match, names) {
  const { sentence, nodes } = match;
  const figure = document.createElement("div");
  figure.className = "match";
  const line = document.createElement("p");
  for (let i = 1; i <= sentence.length; i++) {
    const place = nodes.indexOf(i);
    if (place < 0) line.append(sentence.form(i));
    else {
      const word = document.createElement("mark");
      const name = names[place];
      word.textContent = sentence.form(i) + (name === undefined ? "" : `=${name}`);
      line.append(word);
    }
    line.append(" ");
  }
  const tree = document.createElement("div");
  tree.innerHTML = sentence.toSVG({ wordClass: (i) => (nodes.includes(i) ? "found" : undefined) });
  figure.append(line, tree);
  return figure;
}

let run = 0;
async function search() {
  const own = ++run;
  try {
    const matcher = new Matcher(pattern.value);
    const sentences = await sentencesOf(source.value);
    if (own !== run) return;
    const found = sentences.flatMap((sentence) => matcher.match(sentence));
    const counts = `${found.length} ${found.length === 1 ? "match" : "matches"} in ${sentences.length} ${sentences.length === 1 ? "sentence" : "sentences"}`;
    status.textContent = counts + (found.length > MOST_DRAWN ? `; the first ${MOST_DRAWN} are shown` : "");
    matches.replaceChildren(...found.slice(0, MOST_DRAWN).map((match) => show(match, matcher.names)));
    pattern.setAttribute("aria-invalid", "false");
  } catch (error) {
    if (own !== run) return;
    status.textContent = error.message;
    matches.replaceChildren();
    pattern.setAttribute("aria-invalid", String(error.name === "PatternError"));
  }
}

let timer;
for (const field of [pattern, source])
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 150);
  });
pattern.addEventListener("input", () => {
  recipe.value = "";
});
recipe.addEventListener("change", () => {
  if (recipe.value === "") return;
  pattern.value = recipe.value;
  search();
});
document.querySelector(".tester").addEventListener("submit", (event) => event.preventDefault());
search();
