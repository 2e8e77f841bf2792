// Loaded before a measurement (node --import): ends it where its work begins, which is where it reads a treebank or a
// model, or starts a process or a thread. By then its modules are there and its arguments have been looked at.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import workers from "node:worker_threads";

const isData = (path) => /\.(conllu|stemma|txt|gz|jsonl)$/.test(String(path));

function endAt(module, names, isWork = () => true) {
  for (const name of names) {
    const original = module[name];
    module[name] = (...args) => (isWork(args[0]) ? process.exit(0) : original(...args));
  }
}

endAt(fs, ["readFileSync", "createReadStream", "openSync"], isData);
endAt(fs.promises, ["readFile", "open"], isData);
endAt(childProcess, ["spawn", "spawnSync", "execFile", "execFileSync", "exec", "execSync", "fork"]);
workers.Worker = class {
  constructor() {
    process.exit(0);
  }
};
syncBuiltinESMExports();
