/** The old place of what `fs` and `os` have under `constants`. */
const { errno, priority, signals } = require("node:os").constants as Record<string, object>;

module.exports = { ...errno, ...priority, ...signals, ...(require("node:fs").constants as object) };
