import type { DrawablePredicate } from "@stemma/core";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Tree } from "../../protocol/sentence.js";
import { isolate } from "../../state/shown/direction.js";
import { roleOfWord } from "../../state/shown/predicates.js";
import { explainRemoval } from "../../state/shown/removed.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { Explained } from "../common/Explained.js";
import { Form } from "../common/Form.js";
import { explainRole } from "./role-names.js";

interface Props {
  sentence: ShownSentence;
  tree: Tree;
  word: number;
  shows(dependent: number): boolean;
  confidence: number | undefined;
  predicates: readonly DrawablePredicate[];
  /** As what the word is removed, a number of `REMOVALS`. */
  removed: number;
  left: number;
  top: number | undefined;
  room: number;
  pinned: boolean;
  labels: readonly string[];
  onEdit?: ((dependent: number, head: number, label: string) => boolean) | undefined;
  onClose(): void;
}

const WIDTH = 280;
/** Between a word and its card. */
const GAP = 8;

/**
 * A word with all that is known about it: its head, its dependents, its features; pinned, also the means to change its
 * arc.
 */
export function WordCard(props: Props) {
  const { sentence, tree, word, shows, confidence, left, top, room, pinned, onEdit, onClose } = props;
  const { forms, tagged } = sentence;
  const [lemma, upos, xpos, feats] = [tagged.lemma(word), tagged.upos(word), tagged.xpos(word), tagged.feats(word)];
  const { removed } = props;
  const { predicate, roles } = roleOfWord(props.predicates, word);
  const head = shows(word) ? tree.heads[word]! : -1;
  const dependents = tree.heads.flatMap((h, d) => (d > 0 && h === word && shows(d) ? [d] : []));
  const x = Math.max(4, Math.min(left - WIDTH / 2, room - WIDTH - 4));
  const known = (value: string) => value !== "_" && value !== "";
  const features = known(feats) ? feats.split("|") : [];
  const filled = sentence.filledIn(word);
  const mark = (column: "lemma" | "upos" | "xpos" | "feats") =>
    filled.has(column) ? { "data-filled": "", title: "Filled in by the model" } : {};
  const card = useRef<HTMLDivElement>(null);
  // Opened, it has the focus; whoever closes it gives the focus back to the word.
  useLayoutEffect(() => {
    if (pinned) card.current?.focus({ preventScroll: true });
  }, [pinned, word]);
  return (
    <div
      ref={card}
      class={`word-card ${pinned ? "pinned" : ""}`}
      style={{ left: `${x}px`, width: `${WIDTH}px`, ...(top === undefined ? {} : { top: `${top + GAP}px` }) }}
      {...(pinned ? { role: "dialog", tabIndex: -1, "aria-label": `Word ${word}, ${forms[word]}` } : {})}
    >
      <div class="word-card-head">
        <strong dir="auto">{forms[word]}</strong>
        {known(lemma) && (
          <em dir="auto" {...mark("lemma")}>
            {lemma}
          </em>
        )}
        <span class="word-card-tags">
          {known(upos) && (
            <span class="chip" {...mark("upos")}>
              {upos}
            </span>
          )}
          {known(xpos) && xpos !== upos && (
            <span class="chip faint" {...mark("xpos")}>
              {xpos}
            </span>
          )}
        </span>
        {pinned && (
          <button type="button" class="icon" aria-label="Close" onClick={onClose}>
            ×
          </button>
        )}
      </div>
      {features.length > 0 && (
        <div class="word-card-feats" {...mark("feats")}>
          {features.map((feature) => (
            <span key={feature}>{feature}</span>
          ))}
        </div>
      )}
      {filled.size > 0 && <p class="filled-note">Marked with °: filled in by the model, not from the file.</p>}
      <dl>
        <dt class="to-head">Head</dt>
        <dd>
          {head < 0 ? (
            <i>{removed > 0 ? "none" : "none yet"}</i>
          ) : (
            <>
              {head === 0 ? "root" : <Form node={head} forms={forms} />}{" "}
              {head > 0 && <small>{tree.labels[word]}</small>}
            </>
          )}
        </dd>
        <dt class="to-dependent">Dependents</dt>
        <dd>
          {dependents.length === 0 ? (
            <i>none</i>
          ) : (
            dependents.map((d) => (
              <span key={d} class="dependent">
                <Form node={d} forms={forms} /> <small>{tree.labels[d]}</small>
              </span>
            ))
          )}
        </dd>
        {confidence !== undefined && (
          <>
            <dt>Confidence</dt>
            <dd>{Math.round(100 * confidence)} %</dd>
          </>
        )}
        {removed > 0 && (
          <>
            <dt>Removed</dt>
            <dd>{explainRemoval(removed)}</dd>
          </>
        )}
        {predicate && (
          <>
            <dt>Predicate</dt>
            <dd>
              {predicate.sense}
              {predicate.arguments.map(({ word, role }) => (
                <span key={`${word} ${role}`} class="dependent">
                  <Form node={word} forms={forms} /> <small>{role}</small>
                </span>
              ))}
            </dd>
          </>
        )}
        {roles.length > 0 && (
          <>
            <dt>Roles</dt>
            <dd>
              {roles.map(({ role, of }) => (
                <span key={`${of.word} ${role}`} class="dependent" title={explainRole(role)}>
                  {role} of <Form node={of.word} forms={forms} />
                </span>
              ))}
            </dd>
          </>
        )}
      </dl>
      {pinned && onEdit && <ArcForm {...props} onEdit={onEdit} />}
      {pinned && <Explained upos={upos} label={head < 0 ? undefined : tree.labels[word]} />}
    </div>
  );
}

/** The same as dragging, for the keyboard; and the label. */
function ArcForm({ sentence, tree, word, labels, onEdit }: Props & { onEdit: NonNullable<Props["onEdit"]> }) {
  const id = useId();
  const { forms } = sentence;
  const label = tree.labels[word]!;
  // Text that is being typed stays while the page around it changes.
  const [typed, setTyped] = useState(label);
  useLayoutEffect(() => setTyped(label), [word, label]);
  const take = () => {
    const wanted = typed.trim();
    if (wanted === label || !onEdit(word, tree.heads[word]!, wanted)) setTyped(label);
  };
  return (
    <div class="arc-form">
      <label for={`${id}-head`}>Change head</label>
      <select
        id={`${id}-head`}
        value={tree.heads[word]}
        onChange={(event) => {
          const head = Number(event.currentTarget.value);
          const label = head === 0 ? "root" : tree.labels[word] === "root" ? "dep" : tree.labels[word]!;
          if (!onEdit(word, head, label)) event.currentTarget.value = String(tree.heads[word]);
        }}
      >
        {forms.map((form, i) =>
          i === word ? null : (
            <option key={i} value={i}>
              {i === 0 ? "root" : `${i} ${isolate(form)}`}
            </option>
          ),
        )}
      </select>
      <label for={`${id}-label`}>Label</label>
      <input
        id={`${id}-label`}
        type="text"
        list={`${id}-labels`}
        value={typed}
        autocomplete="off"
        spellcheck={false}
        // The list of completions offers only what begins like the label that is there.
        onFocus={(event) => event.currentTarget.select()}
        // Firefox changes nothing with Enter while it shows completions.
        onKeyDown={(event) => event.key === "Enter" && take()}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={take}
      />
      <datalist id={`${id}-labels`}>
        {labels.map((label) => (
          <option key={label} value={label} />
        ))}
      </datalist>
    </div>
  );
}
