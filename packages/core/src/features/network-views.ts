// What networks look at in a configuration, one set for each family of systems: the words that the next arcs are about and their dependents, labels, numbers of
// dependents and distances. The encoder has seen the rest of the sentence.

const HYBRID = `
s0.vector; s1.vector; s2.vector; b0.vector; b1.vector; s0l.vector; s0r.vector; b0l.vector
s0l.label; s0r.label; s1l.label; s1r.label; b0l.label; s0l2.label; s0r2.label
s0.lval; s0.rval; s1.rval; b0.lval; dist(s0,b0); dist(s1,s0)
`;

const EAGER = `
s0.vector; s1.vector; s2.vector; b0.vector; b1.vector; s0h.vector; s0l.vector; s0r.vector; b0l.vector
s0.label; s1.label; s0l.label; s0r.label; b0l.label; s0l2.label; s0r2.label
s0.lval; s0.rval; b0.lval; dist(s0,b0); dist(s1,s0)
`;

const STACK = `
s0.vector; s1.vector; s2.vector; b0.vector; s0l.vector; s0r.vector; s1l.vector; s1r.vector
s0l.label; s0r.label; s1l.label; s1r.label; s0l2.label; s1r2.label
s0.lval; s0.rval; s1.lval; s1.rval; s2.rval; dist(s1,s0); dist(s2,s1)
`;

const SPINES = `
s1.vector; s2.vector; s3.vector; q1.vector; q2.vector; gp.vector; gg.vector; s1l.vector; s1r.vector; s2l.vector; s2r.vector
s1l.label; s1r.label; s2l.label; s2r.label; s1.label; s2.label
s1.lval; s1.rval; s2.lval; s2.rval; dist(s1,s2); dist(s1,q1)
`;

/** What a network looks at in the configurations of a system unless it is told otherwise. */
export function defaultView(system: string): string {
  if (system === "arc-hybrid") return HYBRID;
  if (system === "arc-eager") return EAGER;
  return system === "lr-spines" ? SPINES : STACK;
}
