import { describeSystem } from "@stemma/core/systems";
import { embedded } from "../../state/address/embed.js";
import { quizOn } from "../../state/derivation/quiz.js";
import { presenting } from "../../state/derivation/stage.js";
import {
  derivation,
  derivedFrom,
  deriveError,
  effectivePolicy,
  gold,
  hasNoDerivation,
  modelInfo,
  sentence,
} from "../../state/shown/state.js";
import { NoTree, Skeleton } from "../common/Empty.js";
import { UnseenScript } from "../common/UnseenScript.js";
import { Stage } from "../derivation/Stage.js";
import { Verdict } from "../derivation/Verdict.js";
import { CopyLink } from "../export/Exports.js";
import { savePage } from "../export/page.js";
import { SentencePicker } from "../input/SentencePicker.js";
import { TextInput } from "../input/TextInput.js";
import { BeamCard } from "./BeamCard.js";
import { Branches } from "./Branches.js";
import { DerivationTable } from "./DerivationTable.js";
import { GraphCard } from "./GraphCard.js";
import { RoleDerivationCard } from "./RoleDerivationCard.js";
import { SystemSettings } from "./SystemSettings.js";
import { SystemsTable } from "./SystemsTable.js";

export function StepView() {
  const data = sentence.value;
  const shown = derivation.value;
  // The derivation of another sentence says nothing about this one; of the same words it stays until the next is there.
  const fits = data && shown && derivedFrom.value?.forms.join("\n") === data.forms.join("\n");
  // With a gold tree and an oracle nothing of what is shown is the model's.
  const isOfModel = !gold.value || effectivePolicy.value === "model";
  const isAlone = embedded || presenting.value;
  return (
    <>
      <div class="stage-screen">
        {!isAlone && <TextInput compact />}
        {!isAlone && <SystemSettings />}
        {deriveError.value && (
          <p class="note bad" role="alert">
            {deriveError.value}
          </p>
        )}
        {hasNoDerivation.value && !presenting.value && <NoDerivation />}
        {data && !deriveError.value && isOfModel && <UnseenScript sentence={data} />}
        {data && fits ? (
          <Stage derivation={shown} sentence={data} />
        ) : (
          <section class="card tree-card" aria-label="Derivation">
            {data && !deriveError.value ? <Skeleton /> : <NoTree />}
          </section>
        )}
      </div>
      {data && fits && !presenting.value && (
        <>
          {!quizOn.value && <Verdict derivation={shown} sentence={data} />}
          {!embedded && (
            <div class="card-foot">
              <SentencePicker />
              <span class="faint hint">Keys: ← → one step, space plays, Home and End jump.</span>
              <CopyLink />
              <button
                type="button"
                class="small"
                title="One HTML file with the sentence, the derivation and a player"
                onClick={() => savePage(shown, data, describeSystem(shown.system.name).title)}
              >
                Save as page
              </button>
            </div>
          )}
          <Branches sentence={data} />
          {!embedded && !quizOn.value && (
            <>
              <DerivationTable derivation={shown} sentence={data} />
              <RoleDerivationCard sentence={data} />
              <BeamCard sentence={data} />
              <GraphCard sentence={data} />
              <SystemsTable />
            </>
          )}
        </>
      )}
    </>
  );
}

function NoDerivation() {
  return (
    <p class="note">
      {modelInfo.value?.noDerivation}. Shown is how the chosen system would build{" "}
      {gold.value ? "the gold tree" : "the model’s tree"}.
    </p>
  );
}
