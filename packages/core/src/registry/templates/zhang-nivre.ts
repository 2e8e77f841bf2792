// The feature templates of Zhang & Nivre (2011), "Transition-based Dependency Parsing with Rich Non-local Features",
// tables 1 and 2: 72 templates in six groups. There S is the stack and N the buffer of arc-eager; w, p and l are form,
// tag and label, d the distance between S0 and N0, v valencies, s sets of labels. p is `tag` here: XPOS, and where a
// treebank has none the nearest thing to it.

/** The groups of templates of Zhang & Nivre, in the order in which their paper adds them to the baseline. */
export const ZHANG_NIVRE_GROUPS = ["baseline", "distance", "valency", "unigrams", "third-order", "label-sets"] as const;
/** One of `ZHANG_NIVRE_GROUPS`. */
export type ZhangNivreGroup = (typeof ZHANG_NIVRE_GROUPS)[number];

const TEMPLATES: Readonly<Record<ZhangNivreGroup, string>> = {
  baseline: `
# single words
S0.form S0.tag; S0.form; S0.tag; N0.form N0.tag; N0.form; N0.tag
N1.form N1.tag; N1.form; N1.tag; N2.form N2.tag; N2.form; N2.tag
# pairs
S0.form S0.tag N0.form N0.tag; S0.form S0.tag N0.form; S0.form N0.form N0.tag; S0.form S0.tag N0.tag
S0.tag N0.form N0.tag; S0.form N0.form; S0.tag N0.tag; N0.tag N1.tag
# three words
N0.tag N1.tag N2.tag; S0.tag N0.tag N1.tag; S0h.tag S0.tag N0.tag; S0.tag S0l.tag N0.tag; S0.tag S0r.tag N0.tag
S0.tag N0.tag N0l.tag`,
  distance: `
# distance
S0.form dist(S0,N0); S0.tag dist(S0,N0); N0.form dist(S0,N0); N0.tag dist(S0,N0)
S0.form N0.form dist(S0,N0); S0.tag N0.tag dist(S0,N0)`,
  valency: `
# valency
S0.form S0.rval; S0.tag S0.rval; S0.form S0.lval; S0.tag S0.lval; N0.form N0.lval; N0.tag N0.lval`,
  unigrams: `
# heads and dependents
S0h.form; S0h.tag; S0.label; S0l.form; S0l.tag; S0l.label; S0r.form; S0r.tag; S0r.label; N0l.form; N0l.tag; N0l.label`,
  "third-order": `
# third order
S0hh.form; S0hh.tag; S0h.label; S0l2.form; S0l2.tag; S0l2.label; S0r2.form; S0r2.tag; S0r2.label
N0l2.form; N0l2.tag; N0l2.label
S0.tag S0l.tag S0l2.tag; S0.tag S0r.tag S0r2.tag; S0.tag S0h.tag S0hh.tag; N0.tag N0l.tag N0l2.tag`,
  "label-sets": `
# label sets
S0.form S0.rset; S0.tag S0.rset; S0.form S0.lset; S0.tag S0.lset; N0.form N0.lset; N0.tag N0.lset`,
};

/**
 * The templates that the thesis adds for LR-spines (section 6.2): there a dependent of RIGHT-ARC-k may have dependents
 * on its right, as N0 never has in arc-eager. Everything that is said of them on the right of S0, except the templates
 * with N0.
 */
const RIGHT_OF_FRONT: Readonly<Record<ZhangNivreGroup, string>> = {
  baseline: "\nS0.tag N0.tag N0r.tag",
  distance: "",
  valency: "\nN0.form N0.rval; N0.tag N0.rval",
  unigrams: "\nN0r.form; N0r.tag; N0r.label",
  "third-order": "\nN0r2.form; N0r2.tag; N0r2.label; N0.tag N0r.tag N0r2.tag",
  "label-sets": "\nN0.form N0.rset; N0.tag N0.rset",
};

/** The names of S0, N0, N1 and N2, and of the head of S0 and its head where they are not steps from S0. */
export interface ZhangNivreFrame {
  readonly S0: string;
  readonly N0: string;
  readonly N1: string;
  readonly N2: string;
  readonly S0h?: string;
  readonly S0hh?: string;
}

/** The top of the stack and the front of the buffer, as in the paper. */
export const BUFFER_FRAME: ZhangNivreFrame = { S0: "s0", N0: "b0", N1: "b1", N2: "b2" };
/** The two on top of the stack. */
export const STACK_FRAME: ZhangNivreFrame = { S0: "s1", N0: "s0", N1: "b0", N2: "b1" };
/** The context of a move of LR-spines (thesis table 6.1), where the head of S0 and its head have names of their own. */
export const SPINES_FRAME: ZhangNivreFrame = { S0: "s2", N0: "s1", N1: "q1", N2: "q2", S0h: "gp", S0hh: "gg" };

/** How a system looks at what the templates are about. */
export interface ZhangNivreView {
  /** The pairs between which arcs are built, each with what is ahead of it. */
  readonly frames: readonly ZhangNivreFrame[];
  /** Whether N0 may have dependents on its right. */
  readonly rightOfFront?: boolean;
}

/**
 * The templates of Zhang & Nivre as a system sees them; where it builds arcs between several pairs, those of each pair.
 * Templates that are the same for two pairs are there once.
 */
export function zhangNivre(view: ZhangNivreView, groups: readonly ZhangNivreGroup[] = ZHANG_NIVRE_GROUPS): string {
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const frame of view.frames) {
    for (const group of groups) {
      const text = TEMPLATES[group] + (view.rightOfFront ? RIGHT_OF_FRONT[group] : "");
      for (const template of text.replace(/#.*/g, "").split(/[;\n]/)) {
        const line = template.trim().replace(/S0h{0,2}|N\d/g, (name) => placed(name, frame));
        if (!line || seen.has(line)) continue;
        seen.add(line);
        lines.push(line);
      }
    }
  }
  return `${lines.join("\n")}\n`;
}

/** A position of the paper in a frame; heads without a name of their own are steps. */
function placed(name: string, frame: ZhangNivreFrame): string {
  return frame[name as keyof ZhangNivreFrame] ?? `${placed(name.slice(0, -1), frame)}h`;
}
