import { signal } from "@preact/signals";

const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = signal(document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light"));

dark.addEventListener("change", () => {
  if (!document.documentElement.dataset.theme) theme.value = dark.matches ? "dark" : "light";
});

/** Light or dark: as the system has it, until the user says otherwise. */
export function ThemeToggle() {
  const next = theme.value === "dark" ? "light" : "dark";
  return (
    <button
      type="button"
      class="icon theme-toggle"
      aria-label={`Use ${next} colours`}
      title={`Use ${next} colours`}
      onClick={() => {
        theme.value = next;
        document.documentElement.dataset.theme = next;
        try {
          localStorage.setItem("stemma-theme", next);
        } catch {
          // A page may be forbidden to store anything; the choice then lasts as long as the page.
        }
      }}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        {next === "dark" ? (
          <path d="M20 14.500A8 8 0 0 1 9.500 4a8 8 0 1 0 10.500 10.500Z" />
        ) : (
          <path d="M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500 19 19M5 19l1.500-1.500M17.500 6.500 19 5" />
        )}
      </svg>
    </button>
  );
}
