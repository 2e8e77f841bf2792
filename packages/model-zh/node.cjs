const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** The bytes of the Chinese model, for `load` of @stemma/core. */
module.exports = readFileSync(join(__dirname, "zh.stemma"));
