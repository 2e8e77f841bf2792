// The feature templates of Huang & Sagae (2010), "Dynamic Programming for Linear-Time Incremental Parsing", table 1: 28
// templates for arc-standard, which see words and tags of the two topmost nodes and of the front of the buffer, tags of
// their outermost dependents, of the third node and of the second word ahead, and no labels. There S is the stack, Q
// the buffer; w is `form` here and t `tag`, lc and rc are l and r.
const TEMPLATES = `
S0.form; S0.tag; S0.form S0.tag; S1.form; S1.tag; S1.form S1.tag; Q0.form; Q0.tag; Q0.form Q0.tag
S0.form S1.form; S0.tag S1.tag; S0.tag Q0.tag; S0.form S0.tag S1.tag; S0.tag S1.form S1.tag; S0.form S1.form S1.tag
S0.form S0.tag S1.form; S0.form S0.tag S1.form S1.tag
S0.tag Q0.tag Q1.tag; S1.tag S0.tag Q0.tag; S0.form Q0.tag Q1.tag; S1.tag S0.form Q0.tag
S1.tag S1l.tag S0.tag; S1.tag S1r.tag S0.tag; S1.tag S0.tag S0r.tag; S1.tag S1l.tag S0.form; S1.tag S1r.tag S0.form
S1.tag S0.form S0l.tag; S2.tag S1.tag S0.tag`;

/** The names of the nodes: as in the paper, and for arcs between the top of the stack and the front of the buffer. */
const STACK = { S2: "s2", S1: "s1", S0: "s0", Q0: "b0", Q1: "b1" };
const FRONT = { S2: "s1", S1: "s0", S0: "b0", Q0: "b1", Q1: "b2" };

/**
 * The templates of Huang & Sagae for a system whose left arcs go out from the top of the stack, as in the paper, or
 * from the front of the buffer: then also those of that pair, each template once.
 */
export function huangSagae(leftArcFrom: "top" | "front"): string {
  const templates = (leftArcFrom === "top" ? [STACK] : [STACK, FRONT]).flatMap((names) =>
    TEMPLATES.trim()
      .split(/[;\n]/)
      .map((template) => template.trim().replace(/[SQ]\d/g, (name) => names[name as keyof typeof names])),
  );
  return `${[...new Set(templates.map((t) => t.split(" ").sort().join(" ")))].join("\n")}\n`;
}
