import { traceRoles } from "@stemma/core/roles";
import { goldTreeOf, type Snapshot } from "@stemma/core/systems";
import type { RoleDerivation, RoleStep } from "../../protocol/derivation.js";
import type { Requests } from "../../protocol/requests.js";
import { makeSystem, sentenceOf } from "./system.js";

/** Follows the static oracles of a system and of the semantic half; says why where there is no such derivation. */
export function roleDerivation({ system: choice, target, predicates }: Requests["roles"]["ask"]): RoleDerivation {
  const system = makeSystem(choice);
  const { title, reordersWords, leftOut } = system.description;
  if (reordersWords) return { reason: `${title} puts words back, and the semantic stack needs them in their order.` };
  if (leftOut) return { reason: `${title} removes words, and the semantic stack needs all of them.` };
  const labels = target.labels.map((_, d) => d);
  const trace = traceRoles(system, goldTreeOf(system, sentenceOf(target), labels), predicates);
  if (!trace) return { reason: `${title} cannot build this tree.` };
  const steps: RoleStep[] = [stepOf("", trace.initial)];
  for (const { transition, label, arc, ...after } of trace.steps) {
    const isSyntactic = label === undefined && arc !== undefined;
    const name = isSyntactic ? target.labels[arc![1]] : label;
    steps.push({ ...stepOf(name ? `${transition} ${name}` : transition, after), arc });
  }
  return { steps, lost: trace.lost.length };
}

function stepOf(transition: string, { stack, lists, buffer }: Snapshot): RoleStep {
  return { transition, stack, semanticStack: lists?.["semantic stack"] ?? [], buffer, arc: undefined };
}
