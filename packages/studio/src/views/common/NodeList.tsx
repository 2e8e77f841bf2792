import { Form } from "./Form.js";

/** Nodes that are written out; of more, those at one end. */
const MOST_NODES = 5;

interface Props {
  nodes: readonly number[];
  forms: readonly string[];
  /** Is the end what is looked at, as of a stack? */
  fromEnd?: boolean;
}

/** A stack or buffer as in the papers. */
export function NodeList({ nodes, forms, fromEnd = false }: Props) {
  const isCut = nodes.length > MOST_NODES;
  const kept = !isCut ? nodes : fromEnd ? nodes.slice(1 - MOST_NODES) : nodes.slice(0, MOST_NODES - 1);
  return (
    <>
      [{isCut && fromEnd && "… "}
      {kept.map((node, i) => (
        <>
          {i > 0 && " "}
          <Form node={node} forms={forms} />
        </>
      ))}
      {isCut && !fromEnd && " …"}]
    </>
  );
}
