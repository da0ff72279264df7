/** Node's `fs/promises`. */

import fs from "node:fs";

export default fs.promises;
module.exports = fs.promises;
