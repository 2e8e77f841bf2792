// Runs the tests of the job for Spark where Python with PySpark and Java are: npm run test:spark (after npm run build).
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const python = process.env.PYTHON ?? "python3";
const missing = [
  [
    python,
    ["-c", "import pyspark, pyarrow, pandas"],
    "Python with pyspark, pyarrow and pandas (PYTHON names another one)",
  ],
  ["java", ["-version"], "Java"],
].filter(([program, args]) => spawnSync(/** @type {string} */ (program), /** @type {string[]} */ (args)).status !== 0);
if (missing.length > 0) {
  console.log(`skipped: tests of the job for Spark: there is no ${missing.map(([, , what]) => what).join(", nor ")}`);
} else {
  const tests = fileURLToPath(new URL("test_stemma_spark.py", import.meta.url));
  // Spark says much of executors that are killed on purpose; what the tests say comes last.
  const { status, stderr, stdout } = spawnSync(python, [tests], { encoding: "utf8", maxBuffer: 1 << 28 });
  const own = stderr.slice(Math.max(0, stderr.search(/^test_\w+ /m)));
  console.log(
    `${stdout}${status === 0 ? own.match(/^(test_.*\.\.\. |Ran |OK)?.*(ok|Ran .*|OK)$/gm)?.join("\n") : own}`,
  );
  process.exitCode = status ?? 1;
}
