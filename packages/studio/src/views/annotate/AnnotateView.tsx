import { useEffect, useMemo } from "preact/hooks";
import { listen } from "../../state/annotation/keys.js";
import { begin } from "../../state/annotation/navigation.js";
import { readSentences } from "../../state/editing/treebank-edits.js";
import { reason } from "../../state/shown/say.js";
import { parsed, parsing, place, text, view } from "../../state/shown/state.js";
import { openFile } from "../../state/treebank/open.js";
import { linkedTreebank, matches, opening, treebank } from "../../state/treebank/treebank.js";
import { KeyHelp } from "./KeyHelp.js";
import { NoteField } from "./NoteField.js";
import { SentenceEditor } from "./SentenceEditor.js";
import { SourceEditor } from "./SourceEditor.js";
import { Toolbar } from "./Toolbar.js";

/** A treebank, sentence by sentence: trees, words, notes, what is done and what is to be done. */
export function AnnotateView() {
  useEffect(listen, []);
  const file = treebank.value;
  const shown = place.value;
  const isShown = file !== undefined && shown?.key === file.key;
  const found = matches.value;
  useEffect(() => {
    if (file && !isShown) void begin();
  }, [file, isShown, found]);
  if (!file) return <NoTreebank />;
  if (!isShown) return <p class="note">The search finds no sentence.</p>;
  return (
    <div class="annotate">
      <Toolbar />
      <Sentences key={`${shown.key} ${shown.index}`} />
      <NoteField key={`note ${shown.key} ${shown.index}`} />
      <SourceEditor key={`source ${shown.key} ${shown.index}`} place={shown} />
      <KeyHelp />
    </div>
  );
}

function Sentences() {
  const value = text.value;
  const { sentences, problem } = useMemo(() => {
    try {
      return { sentences: readSentences(value), problem: undefined };
    } catch (error) {
      return { sentences: [], problem: reason(error) };
    }
  }, [value]);
  const known = parsed.value?.sentences ?? [];
  return (
    <>
      {problem && (
        <div class="note bad" role="alert">
          <p>
            <strong>This sentence cannot be read.</strong> {problem}. Mend its text below; until then the file keeps it
            as it is.
          </p>
        </div>
      )}
      {sentences.map((sentence, k) => {
        const data = known[k];
        const fits = data !== undefined && data.forms.length === sentence.length + 1;
        return (
          <SentenceEditor
            key={k}
            k={k}
            count={sentences.length}
            sentence={sentence}
            data={fits ? data : undefined}
            isStale={parsing.value}
          />
        );
      })}
    </>
  );
}

function NoTreebank() {
  const sentences = parsed.value?.sentences ?? [];
  const isComing = opening.value !== undefined || linkedTreebank.value !== undefined;
  return (
    <section class="card drop-zone" aria-label="No treebank">
      <strong>{isComing ? "Opening the treebank" : "Annotate a treebank"}</strong>
      {!isComing && (
        <>
          <p>
            Open a CoNLL-U file and correct it sentence by sentence. Everything is kept in this browser as you go, and
            the file is written back with your changes and no others.
          </p>
          <button type="button" class="small primary" onClick={() => (view.value = "treebank")}>
            Open a treebank
          </button>
          {sentences.length > 0 && (
            <button
              type="button"
              class="small"
              onClick={() => {
                const conllu = sentences.map(({ given }) => given.toConllu()).join("");
                void openFile(new File([conllu], "text.conllu")).then(() => (view.value = "annotate"));
              }}
            >
              Turn the text in the box into one
            </button>
          )}
        </>
      )}
    </section>
  );
}
