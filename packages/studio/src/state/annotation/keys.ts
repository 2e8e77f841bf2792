import { signal } from "@preact/signals";
import { reparse } from "../editing/reparse.js";
import { saveTreebank } from "../treebank/save.js";
import { finish, toggleDone } from "./actions.js";
import { go } from "./navigation.js";

const STORED = "stemma-single-keys";
/** Do single letters do something outside the table? Not everyone's voice or hand wants that. */
export const singleKeys = signal(localStorage.getItem(STORED) !== "0");

export function setSingleKeys(value: boolean): void {
  singleKeys.value = value;
  localStorage.setItem(STORED, value ? "1" : "0");
}

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
  if (isControl || event.shiftKey || !singleKeys.value || isTyped(event.target as Element)) return;
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
