/**
 * Is the page a part of another one, of slides for instance? With `?embed` before the `#` it shows what the link is
 * about and nothing else.
 */
export const embedded = new URLSearchParams(location.search).has("embed");

/** The address of what is shown, as a page of its own or as a part of another one. */
export function addressOf(part: boolean): string {
  const address = new URL(location.href);
  address.search = part ? "?embed" : "";
  return address.href;
}

/** The HTML that shows the same in another page. */
export function embeddingCode(): string {
  const address = addressOf(true).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${address}" width="960" height="640" style="border: 0" title="Stemma Studio"></iframe>`;
}
