/** Node's `fs/promises`. */

const fs: typeof import("./fs").fs = require("node:fs");

export {};
module.exports = fs.promises;
