import { showExampleFor } from "../state/editing/text.js";
import { beside, hasChoice } from "../state/model/available.js";
import { chooseModel } from "../state/model/load.js";
import { modelChoice, modelInfo } from "../state/shown/state.js";
import { ModelOptions } from "../views/input/ModelOptions.js";

/** The models that are there, by language; large ones come when they are chosen. */
export function ModelMenu() {
  const list = beside.value;
  if (!hasChoice.value) return null;
  const chosen = modelChoice.value ?? list[0]?.name ?? modelInfo.value?.name;
  return (
    <select
      class="model-menu"
      aria-label="Language and model"
      value={chosen}
      onChange={(event) => {
        const name = event.currentTarget.value;
        showExampleFor(name);
        void chooseModel(name);
      }}
    >
      <ModelOptions />
    </select>
  );
}
