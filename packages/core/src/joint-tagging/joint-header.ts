import { shownField } from "../checks/header-fields.js";
import { checkParserHeader } from "../parser/check-header.js";
import type { ModelHeader } from "../parser/model-header.js";

/** A parser that chooses the tag of a word, or its whole analysis, when the word leaves the buffer. */
export interface JointTagging {
  /** How many tags the tagger has; the parser has a class for each. */
  tags: number;
  /**
   * Where whole analyses are chosen: how many parts the tagger's analyses have (`NOUN Case=Gen`), each of which has a
   * class as well.
   */
  parts?: number;
  /** Tags, or analyses, to choose from, at most, for each word. */
  perWord: number;
  /** How far below the best score of the tagger that of a candidate may be; 1 is a score of typical size. */
  margin: number;
  /**
   * Places in a beam, besides its own, for derivations that differ from one in it only in what they chose; none if not
   * given.
   */
  variants?: number;
}

/** The header of a parser that does joint tagging. */
export interface JointHeader extends ModelHeader {
  joint: JointTagging;
}

/** How many classes there are for what is chosen together with the tree. */
export function choiceClasses({ tags, parts = 0 }: JointTagging): number {
  return tags + parts;
}

/** The joint tagging of a header that may be that of any parser. */
export function jointOf(header: object): JointTagging | undefined {
  return (header as Partial<JointHeader>).joint;
}

const MOST_CHOICES = 1 << 15;

/** The header of a parser in a file, checked; throws a RangeError that names the field. */
export function checkJointHeader(value: unknown): JointHeader {
  const header = checkParserHeader(value) as JointHeader;
  const { tags, perWord, margin, parts = 1, variants = 1 } = Object(header.joint) as JointTagging;
  const isCount = (count: unknown) => Number.isInteger(count) && Number(count) > 0 && Number(count) <= MOST_CHOICES;
  if ([tags, perWord, parts, variants].every(isCount) && Number.isFinite(margin) && margin >= 0) return header;
  throw new RangeError(`joint: ${shownField(header.joint)} (expected tags, perWord and margin; parts and variants)`);
}
