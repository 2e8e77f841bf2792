/** Milliseconds that this process has worked: unlike the clock's, they do not depend on what else the machine does. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
