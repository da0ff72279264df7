/** `assert/strict`. */

module.exports = (require("node:assert") as { strict: object }).strict;
