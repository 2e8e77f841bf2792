const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** The bytes of the model, for `load` of @stemma/core. */
module.exports = readFileSync(join(__dirname, "en-roles.stemma"));
