import {
  createSystem,
  describeSystem,
  oraclesOf,
  ownSettings,
  ROOT_POSITIONS,
  type RootPosition,
  type SystemName,
  systemNames,
} from "@stemma/core/systems";
import type { Policy } from "../../protocol/derivation.js";
import { setPolicy, setSystem } from "../../state/derivation/actions.js";
import { quizOn, startQuiz } from "../../state/derivation/quiz.js";
import { type SettingControl, settingControls } from "../../state/derivation/setting-controls.js";
import { effectivePolicy, hasNoDerivation, modelFits, modelInfo, system } from "../../state/shown/state.js";

const ROOT_TITLES: Record<RootPosition, string> = { first: "first", last: "last", none: "none" };

/** A setting that only some systems have. */
function Setting({ control: { name, title, value, numbers } }: { control: SettingControl }) {
  if (typeof value === "boolean") {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value}
          onChange={(event) => setSystem({ settings: { [name]: event.currentTarget.checked } })}
        />
        {title}
      </label>
    );
  }
  return (
    <label>
      {title}
      <select
        value={value}
        onChange={(event) => setSystem({ settings: { [name]: Number(event.currentTarget.value) } })}
      >
        {numbers.map((number) => (
          <option key={number} value={number}>
            {number}
          </option>
        ))}
      </select>
    </label>
  );
}

/** System, root position and who decides. */
export function SystemSettings() {
  const { name, root, singleRoot, settings: chosen } = system.value;
  const oracles = oraclesOf(createSystem(name, ownSettings(name, chosen)));
  return (
    <section class="settings in-line" aria-label="Transition system">
      <label>
        System
        <select value={name} onChange={(event) => setSystem({ name: event.currentTarget.value as SystemName })}>
          {systemNames().map((one) => (
            <option key={one} value={one}>
              {describeSystem(one).title}
            </option>
          ))}
        </select>
      </label>
      <label>
        Root
        <select value={root} onChange={(event) => setSystem({ root: event.currentTarget.value as RootPosition })}>
          {ROOT_POSITIONS.map((one) => (
            <option key={one} value={one}>
              {ROOT_TITLES[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Decided by
        <select value={effectivePolicy.value} onChange={(event) => setPolicy(event.currentTarget.value as Policy)}>
          <option value="model" disabled={!modelFits.value}>
            the model
            {modelFits.value
              ? ""
              : hasNoDerivation.value
                ? ` (${modelInfo.value?.kind.split(",")[0]})`
                : " (not for this system)"}
          </option>
          <option value="static">the static oracle</option>
          {oracles.includes("non-deterministic") && (
            <option value="non-deterministic">the non-deterministic oracle</option>
          )}
          {oracles.includes("dynamic") && <option value="dynamic">the dynamic oracle</option>}
          <option value="hand">me, step by step</option>
        </select>
      </label>
      <details class="options">
        <summary class="small">Options</summary>
        <div class="options-box">
          {settingControls(name, chosen).map((control) => (
            <Setting key={control.name} control={control} />
          ))}
          <label class="check">
            <input
              type="checkbox"
              checked={singleRoot}
              onChange={(event) => setSystem({ singleRoot: event.currentTarget.checked })}
            />
            One root only
          </label>
        </div>
      </details>
      <label class="check" title="The next transition is asked for; scores and costs are hidden">
        <input
          type="checkbox"
          checked={quizOn.value}
          disabled={effectivePolicy.value === "hand"}
          onChange={(event) => startQuiz(event.currentTarget.checked)}
        />
        Quiz
      </label>
    </section>
  );
}
