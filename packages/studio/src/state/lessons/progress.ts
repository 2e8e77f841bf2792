import { signal } from "@preact/signals";
import { LESSON_IDS, type LessonId } from "../address/lesson-plans.js";

const KEY = "stemma-lessons";

/** The lessons whose question was answered rightly, as far as the browser keeps that. */
export const solved = signal<ReadonlySet<LessonId>>(new Set(read()));

function read(): LessonId[] {
  try {
    const kept = (localStorage.getItem(KEY) ?? "").split(" ");
    return LESSON_IDS.filter((id) => kept.includes(id));
  } catch {
    return [];
  }
}

export function noteSolved(id: LessonId): void {
  solved.value = new Set([...solved.value, id]);
  try {
    localStorage.setItem(KEY, [...solved.value].join(" "));
  } catch {
    // Where nothing may be kept, it is known until the page is left.
  }
}
