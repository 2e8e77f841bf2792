// The feature sets that ship, one for each family of systems. They begin with the set of Zhang & Nivre (2011), in which w is
// the form and p the tag, and add what measurements on several treebanks showed to help.

/** Arc-eager and arc-hybrid, which attach between the top of the stack and the front of the buffer. */
export const STACK_AND_BUFFER = `
# single words
s0.form s0.xpos; s0.form; s0.xpos; b0.form b0.xpos; b0.form; b0.xpos
b1.form b1.xpos; b1.form; b1.xpos; b2.form b2.xpos; b2.form; b2.xpos
s1.form s1.xpos; s1.form; s1.xpos; s2.xpos
# pairs
s0.form s0.xpos b0.form b0.xpos; s0.form s0.xpos b0.form; s0.form b0.form b0.xpos; s0.form s0.xpos b0.xpos
s0.xpos b0.form b0.xpos; s0.form b0.form; s0.xpos b0.xpos; b0.xpos b1.xpos
s1.form s0.form; s1.xpos s0.xpos; s1.form s0.xpos; s1.xpos s0.form; s1.form s1.xpos s0.xpos; s1.xpos s0.form s0.xpos
s1.xpos b0.xpos; s1.form b0.xpos; s1.xpos b0.form
# triples
b0.xpos b1.xpos b2.xpos; s0.xpos b0.xpos b1.xpos; s0h.xpos s0.xpos b0.xpos; s0.xpos s0l.xpos b0.xpos
s0.xpos s0r.xpos b0.xpos; s0.xpos b0.xpos b0l.xpos
s1.xpos s0.xpos b0.xpos; s2.xpos s1.xpos s0.xpos; s1.form s0.xpos b0.xpos; s1.xpos s0.form b0.xpos; s1.xpos s0.xpos b0.form
s1.xpos s1r.xpos s0.xpos; s1.xpos s0.xpos s0r.xpos; s1.xpos s0.xpos s0l.xpos; s1.xpos s0.xpos b0.xpos b1.xpos
# distance
s0.form dist(s0,b0); s0.xpos dist(s0,b0); b0.form dist(s0,b0); b0.xpos dist(s0,b0)
s0.form b0.form dist(s0,b0); s0.xpos b0.xpos dist(s0,b0)
s1.xpos s0.xpos dist(s1,s0); s1.form s0.xpos dist(s1,s0)
# valency
s0.form s0.rval; s0.xpos s0.rval; s0.form s0.lval; s0.xpos s0.lval; b0.form b0.lval; b0.xpos b0.lval
s1.form s1.rval; s1.xpos s1.rval
# heads and dependents
s0h.form; s0h.xpos; s0.label; s0l.form; s0l.xpos; s0l.label; s0r.form; s0r.xpos; s0r.label; b0l.form; b0l.xpos; b0l.label
s1l.label; s1r.label; s1r.xpos; s1r.form; s1.label
s0hh.form; s0hh.xpos; s0h.label; s0l2.form; s0l2.xpos; s0l2.label; s0r2.form; s0r2.xpos; s0r2.label
b0l2.form; b0l2.xpos; b0l2.label
s0.xpos s0l.xpos s0l2.xpos; s0.xpos s0r.xpos s0r2.xpos; s0.xpos s0h.xpos s0hh.xpos; b0.xpos b0l.xpos b0l2.xpos
s0.xpos s0l.label s0r.label; s1.xpos s1r.label s0.xpos; s0.form s0r.label; s0.form s0l.label
s0.xpos b0.xpos s0r.label; s0.xpos b0.xpos s0l.label; s0.xpos b0.xpos b0l.label
# label sets
s0.form s0.rset; s0.xpos s0.rset; s0.form s0.lset; s0.xpos s0.lset; b0.form b0.lset; b0.xpos b0.lset
s1.xpos s1.rset; s1.form s1.rset; s0.rset b0.xpos; s1.rset s0.xpos
# endings, universal tags and morphology
s0.suffix3; b0.suffix3; s0.suffix3 b0.xpos; s0.xpos b0.suffix3; s1.suffix3 s0.xpos
s0.upos b0.upos; s1.upos s0.upos; s0.upos b0.upos b1.upos; s1.upos s0.upos b0.upos; s0.form b0.upos; s0.upos b0.form
s0.feats; b0.feats; s0.feats b0.feats; s1.feats s0.feats; s0.feats b0.xpos; s0.xpos b0.feats
s0.lemma b0.lemma; s0.lemma b0.xpos; s0.xpos b0.lemma; s1.lemma s0.lemma; s1.lemma s0.xpos
`;

/** Arc-standard, Attardi and swap, which attach between nodes of the stack. */
export const STACK = STACK_AND_BUFFER;

/**
 * LR-spines: the same on the context of each transition (thesis table 6.1, corrected), in which s1 and s2 are the words of the arc, q1 and
 * q2 what follows, and gp and gg the grandparents that only spines know.
 */
export const SPINES = `${STACK_AND_BUFFER.split("\n")
  .map((line) =>
    line
      .split(";")
      .filter((template) => !/\bb2/.test(template))
      .join(";")
      .replace(/\bs2\b/g, "s3")
      .replace(/\bs1/g, "s2")
      .replace(/\bs0/g, "s1")
      .replace(/\bb0/g, "q1")
      .replace(/\bb1/g, "q2"),
  )
  .join("\n")}
# grandparents
gp.form; gp.xpos; gg.xpos; gp.xpos s2.xpos s1.xpos; gp.form s1.xpos; gp.xpos s1.form; gg.xpos gp.xpos s1.xpos
`;

/** The feature templates that a system uses if none are given. */
export function defaultTemplates(system: string): string {
  if (system === "lr-spines") return SPINES;
  return system === "arc-eager" || system === "arc-hybrid" ? STACK_AND_BUFFER : STACK;
}
