// Level 2: the columns of a line, each for itself.

import { relationMessage } from "./rows/relation-names.js";
import { at, COLUMNS, DEPREL, FEATS, HEAD, LEMMA, MISC, nameOf, type Row, UPOS } from "./rows/rows.js";
import { trimmed } from "./rows/white-space.js";
import { page, type Report } from "./violation.js";

const MORPHOLOGY = page("u/overview/morphology.html");

export function checkColumns(row: Row, report: Report): void {
  const { kind } = row;
  // Nearly all of MISC is this.
  if (!row.isBlank(MISC) && !row.is(MISC, "SpaceAfter=No")) checkMisc(row, report);
  if (kind === "token") {
    const { columns } = row;
    for (let c: number = LEMMA; c < MISC; c++) {
      const value = columns[c]!;
      if (value === "_" || (c === FEATS && value === "Typo=Yes")) continue;
      report("mwt-nonempty-field", at(row, c), `A multiword token has _ in ${COLUMNS[c]}, and not ${value}.`);
    }
    return;
  }
  const { upos, isKnown, problems } = row.tags;
  if (!isKnown && !(kind === "empty" && upos === "_")) {
    const message = upos === "_" ? `${nameOf(row)} has no part of speech.` : `${upos} is an unknown part of speech.`;
    report("unknown-upos", at(row, UPOS, page("u/pos/index.html")), message);
  }
  for (const [rule, message] of problems) report(rule, at(row, FEATS, MORPHOLOGY), message);
  if (kind === "empty") {
    for (const c of [HEAD, DEPREL]) {
      const value = row.columns[c];
      if (value === "_") continue;
      report("empty-node-nonempty-field", at(row, c), `An empty node has _ in ${COLUMNS[c]}, and not ${value}.`);
    }
    return;
  }
  const { label, problem } = row.relation;
  if (problem !== undefined) {
    const rule = problem === "form" ? "invalid-deprel" : "unknown-deprel";
    report(rule, at(row, DEPREL, page("u/dep/index.html")), relationMessage(label, problem));
  }
}

const MISC_NAMES = /^(?:SpaceAfter|Lang|Translit|LTranslit|Gloss|LId|LDeriv|Ref)$/;
const NEARLY_MISC_NAMES = new RegExp(MISC_NAMES, "i");

function checkMisc(row: Row, report: Report): void {
  const misc = row.column(MISC);
  const seen = new Set<string>();
  const place = at(row, MISC, page("misc.html"));
  const warning = { ...place, severity: "warning" } as const;
  for (const item of misc.split("|")) {
    const equals = item.indexOf("=");
    const name = equals < 0 ? item : item.slice(0, equals);
    const value = equals < 0 ? "" : item.slice(equals + 1);
    if (name === "") report("empty-misc", warning, `MISC has an item without a name: ${misc}.`);
    if (trimmed(name) !== name || trimmed(value) !== value) {
      report("misc-extra-space", warning, `${JSON.stringify(item)} begins or ends with white space.`);
    }
    if (MISC_NAMES.test(name)) {
      if (seen.has(name)) report("repeated-misc", place, `${name} occurs twice in MISC.`);
      seen.add(name);
    } else if (NEARLY_MISC_NAMES.test(name.trim())) {
      report("misc-attr-typo", warning, `${name} is nearly a name that MISC has a meaning for.`);
    }
  }
}
