import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Derivation } from "../../protocol/derivation.js";
import { kindOf, stackTitle, transitionName } from "../../state/derivation/names.js";
import { quizOn } from "../../state/derivation/quiz.js";
import { endPresentation, goldBeside, present, presenting } from "../../state/derivation/stage.js";
import { derivation as current, deriving, gold, prefix, shownStep, step, target } from "../../state/shown/state.js";
import { Effect } from "./Effect.js";
import { Lost } from "./lost-arcs.js";

const playing = signal(false);
const speed = signal(700);

const END = Number.POSITIVE_INFINITY;

/**
 * The last step is asked of the state, since keys come between a new derivation and its picture; while it is still on
 * its way, the end of the one that is shown is not where the end will be.
 */
function goTo(to: number): void {
  const last = current.value!.configurations.length - 1;
  step.value = to === END && deriving.value ? END : Math.max(0, Math.min(last, to));
}

interface Props {
  derivation: Derivation;
  forms: readonly string[];
  /** Words whose gold arcs the transition just taken lost. */
  lost: readonly number[] | undefined;
}

/** Moves through the configurations of a derivation: buttons, a slider, a strip of all steps, keys. */
export function Player({ derivation, forms, lost }: Props) {
  const { configurations } = derivation;
  const last = configurations.length - 1;
  const now = shownStep.value;

  useEffect(() => {
    if (!playing.value) return;
    const timer = setInterval(() => {
      if (shownStep.value >= last) playing.value = false;
      else goTo(shownStep.value + 1);
    }, speed.value);
    return () => clearInterval(timer);
  }, [last, playing.value, speed.value]);
  useEffect(() => () => void (playing.value = false), []);

  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const turnsPage = presenting.value && /^Page(Up|Down)$/.test(event.key);
      if (!turnsPage && target.closest("input, textarea, select, .tree, [role=dialog]")) return;
      if (event.key === " " && target.closest("button, summary, a")) return;
      const [on, back] = [shownStep.value + 1, shownStep.value - 1];
      const keys: Record<string, number> = { ArrowRight: on, ArrowLeft: back, Home: 0, End: END };
      // As clickers do it.
      if (turnsPage) Object.assign(keys, { PageDown: on, PageUp: back });
      const to = keys[event.key];
      if (event.key === "Escape" && presenting.value) endPresentation();
      else if (to !== undefined) {
        playing.value = false;
        goTo(to);
      } else if (event.key === " ") toggle(last);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [last]);

  const jump = (to: number) => () => {
    playing.value = false;
    goTo(to);
  };
  return (
    <div class="player">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here */}
      <div class="player-buttons" role="group" aria-label="Steps">
        <button type="button" class="icon" aria-label="First step" disabled={now === 0} onClick={jump(0)}>
          <Icon d="M6 5v14M19 5 9 12l10 7Z" />
        </button>
        <button type="button" class="icon" aria-label="One step back" disabled={now === 0} onClick={jump(now - 1)}>
          <Icon d="M17 5 7 12l10 7Z" />
        </button>
        <button
          type="button"
          class="icon play"
          aria-label={playing.value ? "Pause" : "Play"}
          onClick={() => toggle(last)}
        >
          <Icon d={playing.value ? "M8 5v14M16 5v14" : "M7 4.500 19 12 7 19.500Z"} />
        </button>
        <button type="button" class="icon" aria-label="One step on" disabled={now === last} onClick={jump(now + 1)}>
          <Icon d="m7 5 10 7-10 7Z" />
        </button>
        <button type="button" class="icon" aria-label="Last step" disabled={now === last} onClick={jump(END)}>
          <Icon d="m5 5 10 7-10 7ZM18 5v14" />
        </button>
      </div>
      <div class="player-track">
        <input
          type="range"
          min={0}
          max={last}
          value={now}
          aria-label="Step"
          aria-valuetext={`Step ${now} of ${last}`}
          onInput={(event) => jump(Number(event.currentTarget.value))()}
        />
        <Strip derivation={derivation} now={now} until={quizOn.value ? now : last} />
      </div>
      <output class="player-count">
        <b>{now}</b> / {last}
      </output>
      <select
        class="player-speed"
        aria-label="Speed"
        value={speed.value}
        onChange={(event) => (speed.value = Number(event.currentTarget.value))}
      >
        <option value={1400}>slow</option>
        <option value={700}>normal</option>
        <option value={250}>fast</option>
      </select>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here */}
      <div class="stage-buttons" role="group" aria-label="Stage">
        <button
          type="button"
          class="small"
          aria-pressed={goldBeside.value}
          disabled={!target.value || quizOn.value}
          title="The tree that is aimed at, below the words"
          onClick={() => (goldBeside.value = !goldBeside.value)}
        >
          {gold.value ? "Gold tree" : "Model’s tree"}
        </button>
        <button
          type="button"
          class="small"
          title="Full screen, for an audience; → and ←, or a clicker, go on and back"
          onClick={() => (presenting.value ? endPresentation() : present())}
        >
          {presenting.value ? "End" : "Present"}
        </button>
      </div>
      <p class="taken-now" aria-live={playing.value ? "off" : "polite"}>
        <TakenNow derivation={derivation} now={now} forms={forms} lost={lost} />
      </p>
    </div>
  );
}

function toggle(last: number): void {
  if (!playing.value && shownStep.value >= last) goTo(0);
  playing.value = !playing.value;
}

function TakenNow({ derivation, now, forms, lost }: Props & { now: number }) {
  const before = derivation.configurations[now - 1];
  const choice = before?.choices[before.taken];
  if (!choice) return <span class="faint">Start: nothing is taken yet.</span>;
  const title = stackTitle(derivation.system.name);
  const cost = gold.value && choice.cost !== undefined && choice.cost > 0;
  return (
    <>
      <span class={`move ${kindOf(choice.move)}`}>{transitionName(choice)}</span>
      <span>
        <Effect
          choice={choice}
          removed={derivation.removals.filter(({ since }) => since === now)}
          before={before!}
          after={derivation.configurations[now]!}
          title={title}
          forms={forms}
        />
      </span>
      {cost && (
        <span class="cost-named">
          <span class="badge bad">cost {choice.cost}</span>{" "}
          <span class="lost">
            <Lost words={lost} cost={choice.cost!} forms={forms} />
          </span>
        </span>
      )}
    </>
  );
}

/**
 * All steps at a glance: a bar for each, by kind, mistakes marked; in a quiz those that come are not given away. The
 * slider does the same for the keyboard.
 */
function Strip({ derivation, now, until }: { derivation: Derivation; now: number; until: number }) {
  const { configurations } = derivation;
  return (
    <div class="strip" aria-hidden="true">
      {configurations.slice(0, -1).map(({ choices, taken }, i) => {
        const choice = choices[taken]!;
        if (i >= until) return <span key={i} />;
        const wrong = gold.value && (choice.cost ?? 0) > 0 ? "bad" : "";
        return (
          <span
            key={i}
            class={`${kindOf(choice.move)} ${i < now ? "done" : ""} ${wrong} ${i === prefix.value.length - 1 ? "hand" : ""}`}
            title={`${i + 1}: ${transitionName(choice)}`}
          />
        );
      })}
    </div>
  );
}

function Icon({ d }: { d: string }) {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={d} />
    </svg>
  );
}
