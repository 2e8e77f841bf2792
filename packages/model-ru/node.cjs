const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** The bytes of the Russian model, for `load` of @stemma/core. */
module.exports = readFileSync(join(__dirname, "ru.stemma"));
