import { load } from "@stemma/core";
import model from "@stemma/model-en";

const parser = await load(model);
for (const sentence of parser.parse("The old mill wheel turns slowly in the spring. Nobody stops it.")) {
  console.log(sentence.root.form, sentence.words.map((word) => `${word.form}/${word.upos}`).join(" "));
}
