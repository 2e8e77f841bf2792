/** @param {string} text */
export const escapeHTML = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c);

/**
 * The address of a page as seen from another, both relative to the site, so that the site works in any folder.
 * @param {string} from @param {string} to
 */
export function relativeAddress(from, to) {
  const up = "../".repeat(from.split("/").length - 1);
  return up + to;
}

/**
 * A page around its content.
 * @param {{ path: string, title: string, content: string, wide?: boolean, contents?: { id: string, text: string }[] }}
 * page
 * @param {{ title: string, pages: { path: string, title: string, within?: string }[] }[]} menu
 *   what is `within` a folder is shown on its pages only
 */
export function renderPage(page, menu) {
  const root = relativeAddress(page.path, "");
  const entries = menu
    .map(({ title, pages }) => {
      const shown = pages.filter(({ within }) => within === undefined || page.path.startsWith(within));
      const items = shown.map((entry) => {
        const current = entry.path === page.path ? ' aria-current="page"' : "";
        return `<li><a href="${root}${entry.path}"${current}>${escapeHTML(entry.title)}</a></li>`;
      });
      return `<h2>${title}</h2>\n<ul>${items.join("")}</ul>`;
    })
    .join("\n");
  const contents = page.contents ?? [];
  const aside =
    contents.length < 2
      ? ""
      : `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${contents
          .map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`)
          .join("")}</ul></nav>`;
  const title = page.path === "index.html" ? "Stemma" : `${page.title} · Stemma`;
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHTML(title)}</title>
<link rel="icon" href="${root}assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}assets/site.css">
<script src="${root}assets/search.js" defer></script>
<script src="${root}assets/copy.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${root}index.html">Stemma</a>
<div class="search" role="search"><input type="search" id="search" placeholder="Search (press /)" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off"><ul id="found" role="listbox" aria-label="What was found" hidden></ul></div>
</header>
<div class="columns">
<details class="menu" open><summary>Menu</summary><nav aria-label="Pages">
${entries}
</nav></details>
<main id="content"${page.wide ? ' class="wide"' : ""}>
${page.content}
</main>
${aside}
</div>
</body>
</html>
`;
}
