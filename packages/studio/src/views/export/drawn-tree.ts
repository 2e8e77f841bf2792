// Trees as they are drawn on the page, for what core does not draw: two trees over the same words.

import { imageToPNG, save } from "../../state/export/export.js";

/** Properties that the styles of the page give to a drawing. */
const PROPERTIES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "paint-order",
  "font",
  "text-anchor",
  "text-decoration",
  "direction",
];

/** A drawing as an SVG document of its own, with the colours of the page. */
export function standalone(svg: SVGSVGElement, names: readonly [above: string, below: string]): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [originals, copies] = [svg.querySelectorAll("*"), copy.querySelectorAll<SVGElement>("*")];
  originals.forEach((one, i) => {
    const style = getComputedStyle(one);
    for (const name of PROPERTIES) copies[i]!.style.setProperty(name, style.getPropertyValue(name));
  });
  for (const one of copy.querySelectorAll(".hit, title")) one.remove();
  for (const one of copy.querySelectorAll("[tabindex]")) one.removeAttribute("tabindex");
  const [, , width, height] = svg.getAttribute("viewBox")!.split(" ").map(Number) as [number, number, number, number];
  const { backgroundColor, color, fontFamily } = getComputedStyle(svg.closest(".card") ?? svg);
  const ROOM = 24;
  const text = (y: number, content: string) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "text");
    element.setAttribute("x", "12");
    element.setAttribute("y", String(y));
    element.style.cssText = `fill: ${color}; font: 600 13px ${fontFamily}; text-anchor: start`;
    element.textContent = content;
    return element;
  };
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 ${-ROOM} ${width} ${height + 2 * ROOM}`);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height + 2 * ROOM));
  copy.removeAttribute("class");
  copy.style.background = backgroundColor;
  copy.append(text(-6, names[0]), text(height + 16, names[1]));
  return new XMLSerializer().serializeToString(copy);
}

/** Saves the tree that is drawn in the card of a button. */
export async function saveDrawn(
  button: Element,
  format: "SVG" | "PNG",
  names: readonly [string, string],
  file: string,
): Promise<void> {
  const svg = standalone(button.closest(".card")!.querySelector<SVGSVGElement>(".tree-svg")!, names);
  if (format === "SVG") save(new Blob([svg], { type: "image/svg+xml" }), `${file}.svg`);
  else save(await imageToPNG(svg), `${file}.png`);
}
