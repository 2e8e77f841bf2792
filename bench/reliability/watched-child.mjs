// The process that watched.mjs watches: node watched-child.mjs MODULE SEED SETTINGS LIMITS.
const [module, seed, settings, limits] = process.argv.slice(2);
const { seconds, megabytes } = JSON.parse(limits);
const ready = import(module).then(({ prepare }) => prepare(Number(seed), JSON.parse(settings)));

process.on("message", async ({ from, to }) => {
  const run = await ready;
  /** @type {Record<string, number>} */
  const outcomes = {};
  const failures = [];
  let [slowest, slowestAt] = [0, from];
  for (let i = from; i < to; i++) {
    const started = cpuTime();
    try {
      const outcome = await run(i);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    } catch (error) {
      failures.push(`case ${i}: ${error.stack}`);
    }
    const time = cpuTime() - started;
    if (time > 1000 * seconds) failures.push(`case ${i}: took ${time} ms`);
    if (time > slowest) [slowest, slowestAt] = [time, i];
  }
  const used = process.resourceUsage().maxRSS / 1024;
  if (used > megabytes) failures.push(`cases ${from} to ${to}: ${used} MB`);
  process.send?.({ outcomes, failures, slowest, slowestAt, megabytes: used });
});

/** Milliseconds of the processor: the machine may be busy with something else. */
function cpuTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
