const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** The bytes of the Persian model, for `load` of @stemma/core. */
module.exports = readFileSync(join(__dirname, "fa.stemma"));
