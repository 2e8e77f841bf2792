import { message } from "../state.js";

const MESSAGE_TIME = 6000;

let quiet: ReturnType<typeof setTimeout> | undefined;

/** Tells screen readers, and shows at the foot of the page for a few seconds if `visible`. */
export function say(text: string, visible = true): void {
  message.value = { text, visible };
  clearTimeout(quiet);
  if (visible) quiet = setTimeout(() => (message.value = { text: "", visible: false }), MESSAGE_TIME);
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
