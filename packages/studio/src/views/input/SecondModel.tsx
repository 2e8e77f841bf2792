import { useEffect } from "preact/hooks";
import { chooseOtherModel, openOtherModel, otherLoading, otherModel } from "../../state/comparison/other-side.js";
import { readAvailable } from "../../state/model/available.js";
import { FilePicker } from "../common/FilePicker.js";
import { ModelOptions } from "./ModelOptions.js";

/** The model that the first one is compared with: any of the menu, or a file. `onChoose`: it is there, or none is. */
export function SecondModel({ onChoose }: { onChoose?: (isThere: boolean) => void }) {
  useEffect(() => void readAvailable(), []);
  const coming = otherLoading.value;
  return (
    <>
      <label>
        Second model
        <select
          value={otherModel.value ?? ""}
          disabled={coming !== undefined}
          onChange={(event) => {
            void chooseOtherModel(event.currentTarget.value || undefined).then(onChoose);
          }}
        >
          <option value="">none</option>
          <ModelOptions />
        </select>
      </label>
      {coming !== undefined && <progress value={coming} max={1} aria-label="Loading the second model" />}
      <FilePicker class="small" name="Second model file" onFile={(file) => void openOtherModel(file)}>
        From a file…
      </FilePicker>
    </>
  );
}
