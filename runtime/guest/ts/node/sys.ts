/** The old name of `util`. */
module.exports = require("node:util");
