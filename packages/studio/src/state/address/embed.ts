/**
 * Is the page a part of another one, of slides for instance? With `?embed` before the `#` it shows what the link is
 * about and nothing else.
 */
export const embedded = new URLSearchParams(location.search).has("embed");

/** Does the address lead to the computer that the browser runs on, which is another one for everybody else? */
export const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

/** The text and the model that are shown. Another Studio may begin with others, so a link names them. */
export interface Shown {
  text: string;
  model: string | undefined;
}

/** The address of what is shown, as a page of its own or as a part of another one. */
export function addressOf(part: boolean, shown?: Shown): string {
  const address = new URL(location.href);
  address.search = part ? "?embed" : "";
  const [view, search = ""] = address.hash.split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const has = (...keys: string[]) => keys.some((key) => query.has(key));
  if (shown && !has("t", "long", "lesson")) query.set("t", shown.text);
  if (shown?.model && !has("m")) query.set("m", shown.model);
  if (query.size > 0) address.hash = `${view || "#parse"}?${query}`;
  return address.href;
}

/** The HTML that shows the same in another page. */
export function embeddingCode(shown: Shown): string {
  const address = addressOf(true, shown).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${address}" width="960" height="640" style="border: 0" title="Stemma Studio"></iframe>`;
}
