// Who does what to whom, while you type: npx vite examples/vite-app
import { load } from "@stemma/core";
import { Matcher } from "@stemma/core/search";
// Vite copies the model; the import gives its URL.
import model from "@stemma/model-en";

const parser = await load(model);
const triples = new Matcher("{upos:VERB}=verb >=nsubj {}=subject ?>obj {}=object");
const input = document.getElementById("text");

function show() {
  const rows = [...parser.parse(input.value)].flatMap((sentence) =>
    triples.match(sentence).map(({ words: { subject, verb, object } }) => {
      const row = document.createElement("tr");
      for (const word of [subject, verb, object]) row.insertCell().textContent = word?.lemma ?? "";
      return row;
    }),
  );
  document.getElementById("triples").replaceChildren(...rows);
}

input.addEventListener("input", show);
show();
