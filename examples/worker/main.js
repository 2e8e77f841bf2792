// Parsing off the main thread: npx vite examples/worker
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const [text, button, state, trees] = ["text", "parse", "state", "trees"].map((id) => document.getElementById(id));
/** Answers to an earlier job are passed over. */
let job = 0;

button.addEventListener("click", () => {
  trees.textContent = "";
  state.textContent = "parsing…";
  worker.postMessage({ job: ++job, text: text.value });
});

worker.addEventListener("message", ({ data }) => {
  if (data.job !== job) return;
  if (data.tree) trees.append(`${data.tree}\n`);
  if (data.done) state.textContent = "done";
  if (data.error) state.textContent = data.error;
});
worker.addEventListener("error", (event) => {
  state.textContent = `the worker does not run: ${event.message}`;
});
