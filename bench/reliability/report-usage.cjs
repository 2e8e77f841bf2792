// Loaded by a command (node --require), writes at its end how much time and memory it took: see long-inputs.mjs.
const { writeFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

if (isMainThread && process.env.USAGE_FILE) {
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
    writeFileSync(/** @type {string} */ (process.env.USAGE_FILE), JSON.stringify(usage));
  });
}
