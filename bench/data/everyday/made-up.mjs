// Sentences of the kind "X verb Name …", put together from lists: a segmenter must not cut them before the name.
import { generator } from "../random.mjs";

const NAMES =
  "Alice Bob Carol David Emma Frank Grace Henry Ivy Jack Kate Liam Maria Noah Olivia Paul Quinn Rosa Sam Tina Umar Vera Will Xenia Yusuf Zoe Anna Ben Clara Dan".split(
    " ",
  );
const SURNAMES = ["Smith", "Keller", "Okafor", "Novak", "Tanaka", "Rossi", "Larsen", "Haddad"];
const PLACES = ["Paris", "Berlin", "Tokyo", "Canada", "Boston", "Rome", "Norway", "Chicago"];
const SUBJECTS = [
  "The teacher",
  "My sister",
  "Our neighbour",
  "The manager",
  "A friend",
  "Her uncle",
  "The new driver",
];
const PEOPLE = ["We", "They", "You", "I"];
const GIVE = ["sends", "gives", "shows", "offers", "sold", "told", "paid", "lent", "bought", "wrote", "taught", "owes"];
const GIVEN = [
  "a message",
  "the keys",
  "two tickets",
  "some money",
  "her old car",
  "a long story",
  "the blue folder",
  "a cup of tea",
];
const MEET = [
  "meets",
  "calls",
  "helps",
  "knows",
  "likes",
  "sees",
  "asked",
  "visited",
  "thanked",
  "invited",
  "hired",
  "met",
];
const MEET_PLAIN = [
  "meet",
  "call",
  "help",
  "know",
  "like",
  "see",
  "asked",
  "visited",
  "thanked",
  "invited",
  "hired",
  "met",
];
const WHEN = [
  "every day",
  "at noon",
  "after lunch",
  "on Monday",
  "in the park",
  "before the meeting",
  "again",
  "last week",
];
const TRAVEL = ["visits", "leaves", "loves", "misses", "left", "crossed", "reached"];
const THINK = ["says", "thinks", "hopes", "believes", "said", "knows"];
const DOES = ["is late", "likes the plan", "left early", "has no time", "will come", "won the game"];

/**
 * The sentences, always the same for a seed.
 *
 * @param {number} count
 * @param {number} [seed]
 * @returns {string[]}
 */
export function madeUpSentences(count, seed = 1) {
  const next = generator(seed);
  const one = (/** @type {readonly string[]} */ list) => list[Math.floor(next() * list.length)] ?? "";
  const name = () => (next() < 0.25 ? `${one(NAMES)} ${one(SURNAMES)}` : one(NAMES));
  const subject = () => (next() < 0.6 ? name() : one(SUBJECTS));
  const patterns = [
    () => `${subject()} ${one(GIVE)} ${name()} ${one(GIVEN)}.`,
    () => `${subject()} ${one(MEET)} ${name()} ${one(WHEN)}.`,
    () => `${one(PEOPLE)} ${one(MEET_PLAIN)} ${name()} ${one(WHEN)}.`,
    () => `${subject()} ${one(TRAVEL)} ${one(PLACES)} ${one(WHEN)}.`,
    () => `${subject()} ${one(THINK)} ${name()} ${one(DOES)}.`,
    () => `${subject()} ${one(MEET)} ${name()} and ${name()} ${one(WHEN)}.`,
    () => `Yesterday ${name()} ${one(MEET)} ${name()}.`,
  ];
  return Array.from({ length: count }, (_, i) => patterns[i % patterns.length]?.() ?? "");
}
