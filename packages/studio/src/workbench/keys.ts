import { reparse } from "../annotation/reparse.js";
import { saveTreebank } from "../saving/save.js";
import { finish, toggleDone } from "./actions.js";
import { go } from "./navigation.js";

/** The keys that work everywhere in the view but in text fields; those for words are in the table. */
function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey) return;
  const isControl = event.ctrlKey || event.metaKey;
  if (isControl && event.key.toLowerCase() === "s" && !event.shiftKey) {
    event.preventDefault();
    void saveTreebank();
    return;
  }
  if (isControl && event.key === "Enter") {
    event.preventDefault();
    void finish();
    return;
  }
  if (isControl || event.shiftKey || isTyped(event.target as Element)) return;
  const task = { n: () => go(1), p: () => go(-1), d: toggleDone, r: () => reparse(0) }[event.key];
  if (!task) return;
  event.preventDefault();
  void task();
}

export function isTyped(target: Element): boolean {
  return target.closest("textarea, select, input:not([type=checkbox])") !== null;
}

export function listen(): () => void {
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}
