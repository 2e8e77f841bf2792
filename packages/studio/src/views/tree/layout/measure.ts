/** Type sizes of trees; the same in styles/tree.css. */
export const FORM_FONT =
  '500 16px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';
export const SMALL_FONT =
  '500 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';
export const SENSE_FONT = SMALL_FONT.replace("500", "700");

const known = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

/** The width of a text in pixels, as the page will show it. */
export function widthOf(text: string, font: string): number {
  if (text === "") return 0;
  const key = `${font}\0${text}`;
  let width = known.get(key);
  if (width === undefined) {
    context ??= document.createElement("canvas").getContext("2d");
    if (context) context.font = font;
    width = Math.ceil(context ? context.measureText(text).width : 8 * text.length);
    if (known.size > 20_000) known.clear();
    known.set(key, width);
  }
  return width;
}
