/** `path/posix`: the same module as `path`. */

module.exports = require("node:path") as object;
