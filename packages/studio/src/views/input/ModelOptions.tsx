import { beside, keptOnly, titleOf } from "../../state/model/available.js";

/** The models of a menu, by language: those beside the page, and those that were opened before. */
export function ModelOptions() {
  return (
    <>
      {beside.value.map(({ name, bytes }) => (
        <option key={name} value={name}>
          {titleOf(name)}, {(bytes / 1e6).toFixed(1)} MB
        </option>
      ))}
      {keptOnly.value.map((name) => (
        <option key={name} value={name}>
          {titleOf(name)}, opened before
        </option>
      ))}
    </>
  );
}
