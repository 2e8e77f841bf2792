import type { PipelineModel, Sentence } from "@stemma/core";
import { type ModelWithRoles, type RoleEpoch, roleSteps } from "@stemma/core/training";
import { FileError } from "../files/io.js";
import { clearStatus, note, showStatus } from "../terminal/messages.js";
import type { TrainingOptions } from "./options.js";

/** Teaches a model predicates and semantic roles, and says how it goes. */
export async function addRoles(
  model: PipelineModel,
  sentences: readonly Sentence[],
  dev: readonly Sentence[] | undefined,
  { settings: { seed, partWeights } }: TrainingOptions,
): Promise<ModelWithRoles> {
  let shown = "";
  try {
    const steps = roleSteps(model, sentences, { dev, seed, partWeights });
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      const { name, score } = step.value;
      if (score) {
        clearStatus();
        note(`${name}${scoreLine(score)}`);
      } else if (name !== shown) {
        shown = name;
        showStatus(`${name} …`);
        // Others get their turn, signals among them.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  } catch (error) {
    if (error instanceof RangeError) throw new FileError(error.message);
    throw error;
  } finally {
    clearStatus();
  }
}

function scoreLine({ labelled, unlabelled, senses }: RoleEpoch): string {
  if (labelled === undefined) return "";
  return `: labelled F1 ${labelled.toFixed(2)}, unlabelled ${unlabelled!.toFixed(2)}, senses ${senses!.toFixed(2)}`;
}
