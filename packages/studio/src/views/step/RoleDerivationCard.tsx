import { useState } from "preact/hooks";
import type { RoleDerivation } from "../../protocol/derivation.js";
import { capitalized, kindOf, stackTitle } from "../../state/derivation/names.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { gold, system, target } from "../../state/shown/state.js";
import { Form } from "../common/Form.js";
import { HeadRow } from "../common/HeadRow.js";
import { NodeList } from "../common/NodeList.js";
import { useAnswer } from "../common/use-answer.js";

/** How the predicates and roles are found together with the tree: a derivation with a second stack. */
export function RoleDerivationCard({ sentence }: { sentence: ShownSentence }) {
  const [isOpen, setOpen] = useState(false);
  const choice = system.value;
  const aim = target.value;
  const predicates = sentence.predicates(!gold.value);
  const answer = useAnswer("roles", () => (isOpen && aim ? { system: choice, target: aim, predicates } : undefined), [
    isOpen,
    choice,
    aim,
    predicates,
  ]);
  if (predicates.length === 0) return null;
  return (
    <details class="card fold role-derivation" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Semantic roles, with a second stack</summary>
      {isOpen && <Content answer={answer} forms={sentence.forms} stack={stackTitle(choice.name)} />}
    </details>
  );
}

interface ContentProps {
  answer: RoleDerivation | undefined;
  forms: readonly string[];
  stack: string;
}

function Content({ answer, forms, stack }: ContentProps) {
  if (!answer) return <p class="faint">Deriving…</p>;
  if ("reason" in answer) return <p class="note">{answer.reason}</p>;
  return (
    <>
      <p class="faint">
        As soon as the system has taken a word out of the buffer, the semantic half decides whether it is a predicate,
        and builds arcs between it and the words on the semantic stack. The static oracles decide; transitions of the
        semantic half have no costs, because there is no dynamic oracle for them.
        {answer.lost > 0 && ` ${answer.lost} ${answer.lost === 1 ? "role" : "roles"} cannot be built.`}
      </p>
      <div class="table-scroll">
        <table class="derivation">
          <HeadRow titles={["Step", "Transition", capitalized(stack), "Semantic stack", "Buffer", "New arc"]} />
          <tbody>
            {answer.steps.map(({ transition, stack, semanticStack, buffer, arc }, i) => (
              <tr key={i}>
                <td>{i}</td>
                <td>{transition && <span class={`move ${kindOf(transition)}`}>{transition}</span>}</td>
                <td>
                  <NodeList nodes={stack} forms={forms} fromEnd />
                </td>
                <td>
                  <NodeList nodes={semanticStack} forms={forms} fromEnd />
                </td>
                <td>
                  <NodeList nodes={buffer} forms={forms} />
                </td>
                <td>
                  {arc && (
                    <>
                      <Form node={arc[0]} forms={forms} /> → <Form node={arc[1]} forms={forms} />
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
