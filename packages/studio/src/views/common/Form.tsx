/**
 * A word within a text of the page. It is isolated: a right-to-left word would otherwise turn around what stands
 * between it and the next one, so that "x becomes the head of y" would be read as its opposite.
 */
export function Form({ node, forms }: { node: number; forms: readonly string[] }) {
  return <bdi>{node === 0 ? "ROOT" : forms[node]}</bdi>;
}
