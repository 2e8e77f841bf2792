import { openModelFile } from "../../state/model/load.js";
import { model } from "../../state/shown/state.js";
import { FilePicker } from "../common/FilePicker.js";

/** Says how much works without a model, and how to get one. */
export function ModelMissing() {
  const state = model.value;
  if (state.kind !== "missing") return null;
  return (
    <div class="note model-missing" role="status">
      <div>
        <strong>There is no model.</strong> Text cannot be parsed without one. Everything else works: paste CoNLL-U with
        heads to draw it, derive it with an oracle in any system, edit and export it.
        <small>{state.message}</small>
      </div>
      <FilePicker class="small" name="Model" onFile={(file) => void openModelFile(file)}>
        Open a model file
      </FilePicker>
    </div>
  );
}
