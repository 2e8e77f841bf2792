const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** The bytes of the Finnish model, for `load` of @stemma/core. */
module.exports = readFileSync(join(__dirname, "fi.stemma"));
