import {
  createSystem,
  describeSystem,
  oraclesOf,
  ROOT_POSITIONS,
  type RootPosition,
  SYSTEM_NAMES,
  type SystemName,
} from "@stemma/core/systems";
import type { Policy } from "../protocol.js";
import { quizOn, startQuiz } from "../quiz/state.js";
import { decider, modelFits, system } from "../state.js";
import { setPolicy, setSystem } from "./actions.js";
import { SYSTEM_TITLES } from "./names.js";

const ROOT_TITLES: Record<RootPosition, string> = { first: "first", last: "last", none: "none" };

/** System, root position and who decides. */
export function SystemSettings() {
  const { name, root, degree, lazy, singleRoot } = system.value;
  const settings = describeSystem(name).settings.map((setting) => setting.name);
  return (
    <section class="settings" aria-label="Transition system">
      <label>
        System
        <select value={name} onChange={(event) => setSystem({ name: event.currentTarget.value as SystemName })}>
          {SYSTEM_NAMES.map((one) => (
            <option key={one} value={one}>
              {SYSTEM_TITLES[one]}
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
        <select value={decider.value} onChange={(event) => setPolicy(event.currentTarget.value as Policy)}>
          <option value="model" disabled={!modelFits.value}>
            the model{modelFits.value ? "" : " (not for this system)"}
          </option>
          <option value="static">the static oracle</option>
          {oraclesOf(createSystem(name)).includes("dynamic") && <option value="dynamic">the dynamic oracle</option>}
          <option value="hand">me, step by step</option>
        </select>
      </label>
      {settings.includes("degree") && (
        <label>
          Degree
          <select
            value={degree}
            onChange={(event) => setSystem({ degree: Number(event.currentTarget.value) as 2 | 3 })}
          >
            <option value={2}>2</option>
            <option value={3}>3</option>
          </select>
        </label>
      )}
      {settings.includes("lazy") && (
        <label class="check">
          <input
            type="checkbox"
            checked={lazy}
            onChange={(event) => setSystem({ lazy: event.currentTarget.checked })}
          />
          Swap lazily
        </label>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={singleRoot}
          onChange={(event) => setSystem({ singleRoot: event.currentTarget.checked })}
        />
        One root only
      </label>
      <label class="check" title="The next transition is asked for; scores and costs are hidden">
        <input
          type="checkbox"
          checked={quizOn.value}
          disabled={decider.value === "hand"}
          onChange={(event) => startQuiz(event.currentTarget.checked)}
        />
        Quiz
      </label>
    </section>
  );
}
