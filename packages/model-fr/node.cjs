const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** The bytes of the French model, for `load` of @stemma/core. */
module.exports = readFileSync(join(__dirname, "fr.stemma"));
