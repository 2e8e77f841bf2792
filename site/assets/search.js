// Search in the page, with MiniSearch. A plain script, so that it also runs in pages that were opened from the disk.
(() => {
  const root = document.documentElement.dataset.root;
  const input = document.getElementById("search");
  const list = document.getElementById("found");
  const menu = document.querySelector(".menu");
  if (location.protocol === "file:") document.documentElement.classList.add("from-disk");

  // The menu is folded on small screens only.
  const wide = matchMedia("(min-width: 48.01rem)");
  const unfold = () => {
    menu.open = wide.matches;
    menu.querySelector("summary").hidden = wide.matches;
  };
  wide.addEventListener("change", unfold);
  unfold();

  const loadScript = (name) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${root}assets/${name}`;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${script.src} cannot be loaded`));
      document.head.append(script);
    });

  let index;
  const loadIndex = () => {
    index ??= Promise.all([loadScript("minisearch.js"), loadScript("search-data.js")]).then(() => {
      const search = new MiniSearch({
        idField: "address",
        fields: ["title", "page", "text"],
        storeFields: ["title", "page", "text"],
        searchOptions: {
          boost: { title: 4, page: 2 },
          prefix: true,
          fuzzy: (term) => (term.length > 4 ? 0.2 : false),
          combineWith: "AND",
        },
      });
      search.addAll(stemmaSections);
      return search;
    });
    return index;
  };

  const excerpt = (text, terms) => {
    const lower = text.toLowerCase();
    const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
    const from = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 40);
    return (from > 0 ? "…" : "") + text.slice(from, from + 140) + (from + 140 < text.length ? "…" : "");
  };
  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  let selected = -1;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const select = (place) => {
    const items = [...list.querySelectorAll("[role=option]")];
    if (items.length === 0) return;
    selected = (place + items.length) % items.length;
    for (const [i, item] of items.entries()) item.setAttribute("aria-selected", String(i === selected));
    items[selected].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[selected].id);
  };

  const show = async () => {
    const query = input.value.trim();
    if (query === "") return close();
    let found;
    try {
      found = (await loadIndex()).search(query);
    } catch (error) {
      list.replaceChildren(element("p", "", `The search failed: ${error.message}`));
      list.hidden = false;
      return;
    }
    if (query !== input.value.trim()) return;
    list.replaceChildren(
      ...found.slice(0, 12).map((result, i) => {
        const item = element("li");
        item.id = `found-${i}`;
        item.setAttribute("role", "option");
        const link = element("a");
        link.href = root + result.id;
        link.tabIndex = -1;
        link.append(element("strong", "", result.title));
        if (result.page !== result.title) link.append(element("span", "where", result.page));
        link.append(element("span", "excerpt", excerpt(result.text, result.queryTerms)));
        item.append(link);
        return item;
      }),
    );
    if (found.length === 0) list.append(element("p", "", "Nothing found. Try fewer or different words."));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    select(0);
  };

  input.addEventListener("focus", () => loadIndex().catch(() => {}), { once: true });
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "ArrowUp") select(selected - 1);
    else if (event.key === "Enter") list.querySelector("[aria-selected=true] a")?.click();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => event.target.closest("a") && close());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) close();
  });
})();
