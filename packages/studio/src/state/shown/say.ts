import { signal } from "@preact/signals";

const MESSAGE_TIME = 6000;

/** Said to screen readers, and for a few seconds at the foot of the page if `visible`. */
export const message = signal<{ text: string; visible: boolean }>({ text: "", visible: false });

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
