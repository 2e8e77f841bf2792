/**
 * The templates for exact search (after Shi, Huang & Lee 2017, who give a network the vectors of these two words): the
 * top of the stack, the front of the buffer, how far apart they are, and the words beside them.
 */
export const TWO_WORDS = `
s0.form; s0.lemma; s0.tag; s0.upos; s0.feats; s0.form s0.tag; s0p.tag s0.tag; s0.tag s0n.tag; s0p.tag s0.tag s0n.tag
b0.form; b0.lemma; b0.tag; b0.upos; b0.feats; b0.form b0.tag; b0p.tag b0.tag; b0.tag b1.tag; b0p.tag b0.tag b1.tag
b0.tag b1.tag b2.tag; b1.form; s0p.form; s0n.form; b0p.form
s0.form b0.form; s0.lemma b0.lemma; s0.form b0.tag; s0.tag b0.form; s0.tag b0.tag; s0.upos b0.upos; s0.feats b0.feats; s0.suffix3; b0.suffix3; s0.suffix3 b0.tag; s0.tag b0.suffix3
s0.form s0.tag b0.tag; s0.tag b0.form b0.tag; s0.form s0.tag b0.form b0.tag
s0.tag s0n.tag b0p.tag b0.tag; s0p.tag s0.tag b0p.tag b0.tag; s0.tag s0n.tag b0.tag b1.tag; s0p.tag s0.tag b0.tag b1.tag
s0.tag b0.tag b1.tag; s0.tag b0.tag b1.tag b2.tag; s0.form b0.tag b1.tag; s0.tag s0n.tag b0.tag; s0.tag b0p.tag b0.tag
dist(s0,b0); s0.tag dist(s0,b0); b0.tag dist(s0,b0); s0.tag b0.tag dist(s0,b0); s0.form dist(s0,b0); b0.form dist(s0,b0)
`;
