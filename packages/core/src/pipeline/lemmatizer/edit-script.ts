/**
 * A rule that makes a lemma from a form, as text (after Straka's UDPipe and Lemming; Chrupała 2006): case, then what to
 * take off and put on at both ends, such as "l|0||3|y" for Flies → fly (lower-case; take 0 off the beginning and put
 * nothing there; take 3 off the end and put "y" there). The longest part that form and lemma have in common stays.
 * Where they have nothing in common, the rule is the lemma: "=" and the lemma itself.
 */
type EditScript = string;

/** Longer forms and lemmas are not compared, since that takes time quadratic in their length. */
const LONGEST = 100;

// Case of the lemma: as in the form, all lower, or first letter upper and the rest lower.
const KEEP = "k";
const LOWER = "l";
const TITLE = "t";

/** The script that makes the lemma from the form. */
export function editScript(form: string, lemma: string): EditScript {
  if (form.length > LONGEST || lemma.length > LONGEST) return form === lemma ? `${KEEP}|0||0|` : `=${lemma}`;
  let best = `=${lemma}`;
  let most = 0;
  // Lower case first: where case does not matter, words at the beginning of a sentence then have the same script as
  // elsewhere.
  for (const kind of [LOWER, KEEP, TITLE]) {
    const cased = inCase(form, kind);
    const { length, at, to } = longestCommon(cased, lemma);
    if (length <= most) continue;
    const off = cased.length - at - length;
    const script = `${kind}|${at}|${lemma.slice(0, to)}|${off}|${lemma.slice(to + length)}`;
    if (lemma.slice(0, to).includes("|") || applyScript(script, form) !== lemma) continue;
    best = script;
    most = length;
  }
  return best;
}

/** The lemma that a script makes from a form; undefined if it cannot be applied. */
export function applyScript(script: EditScript, form: string): string | undefined {
  if (script.charCodeAt(0) === 61) return script.slice(1);
  const a = script.indexOf("|");
  const b = script.indexOf("|", a + 1);
  const c = script.indexOf("|", b + 1);
  const d = script.indexOf("|", c + 1);
  const from = Number(script.slice(a + 1, b));
  const off = Number(script.slice(c + 1, d));
  const cased = inCase(form, script.slice(0, a));
  if (from + off >= cased.length) return undefined;
  return script.slice(b + 1, c) + cased.slice(from, cased.length - off) + script.slice(d + 1);
}

/** Whether a text is a script. */
export function isEditScript(text: string): boolean {
  return text.startsWith("=") || /^[klt]\|\d{1,3}\|[^|]*\|\d{1,3}\|/.test(text);
}

function inCase(form: string, kind: string): string {
  if (kind === KEEP) return form;
  // İ has no small letter of its own: it becomes i with a dot above, which is written i.
  const lower = form.toLowerCase().replaceAll("i\u0307", "i");
  if (kind === LOWER) return lower;
  // By code point, so that a pair of surrogates is not torn.
  const first = lower.codePointAt(0) ?? 0;
  const length = first > 0xffff ? 2 : 1;
  return lower.slice(0, length).toUpperCase() + lower.slice(length);
}

/** The longest common substring, the first one in the form: its length, and where it begins in both. */
function longestCommon(form: string, lemma: string): { length: number; at: number; to: number } {
  let length = 0;
  let at = 0;
  let to = 0;
  let row = new Int32Array(lemma.length + 1);
  let previous = new Int32Array(lemma.length + 1);
  for (let i = 0; i < form.length; i++) {
    [row, previous] = [previous, row];
    for (let j = 0; j < lemma.length; j++) {
      row[j + 1] = form.charCodeAt(i) === lemma.charCodeAt(j) ? previous[j]! + 1 : 0;
      if (row[j + 1]! <= length) continue;
      length = row[j + 1]!;
      at = i + 1 - length;
      to = j + 1 - length;
    }
  }
  return { length, at, to };
}
