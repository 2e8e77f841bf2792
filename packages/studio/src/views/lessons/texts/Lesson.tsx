import { haveSameSettings } from "@stemma/core/systems";
import type { ComponentChildren } from "preact";
import type { SystemWish } from "../../../protocol/derivation.js";
import { setSystem } from "../../../state/derivation/actions.js";
import { kindOf } from "../../../state/derivation/names.js";
import { derivation, shownStep, step, system } from "../../../state/shown/state.js";

/** After a button in a text: a full stop or comma stays on its line. */
const JOINED = "\u2060";

/** In the text of a lesson: brings the derivation beside it to a step. */
export function Go({ to, children }: { to: number; children: ComponentChildren }) {
  const there = shownStep.value === to && derivation.value !== undefined;
  return (
    <>
      <button
        type="button"
        class="go"
        aria-pressed={there}
        onClick={() => {
          step.value = to;
          // On a phone the derivation is below the text.
          document.querySelector(".stage")?.scrollIntoView({ block: "nearest" });
        }}
      >
        {children}
      </button>
      {JOINED}
    </>
  );
}

/** In the text of a lesson: derives the sentence in another system. */
export function Use({ wish, children }: { wish: SystemWish; children: ComponentChildren }) {
  const now = system.value;
  const chosen =
    (wish.name ?? now.name) === now.name &&
    haveSameSettings(now.name, { ...now.settings, ...wish.settings }, now.settings);
  return (
    <>
      <button type="button" class="go" aria-pressed={chosen} onClick={() => setSystem(wish)}>
        {children}
      </button>
      {JOINED}
    </>
  );
}

/** A transition by its name. */
export function T({ children }: { children: string }) {
  return <span class={`move ${kindOf(children)}`}>{children}</span>;
}

/** A paper that says it at length. */
export function Source({ children }: { children: ComponentChildren }) {
  return <p class="lesson-source faint">{children}</p>;
}
