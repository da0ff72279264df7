/** What Node's `fs` has and ours can't offer: each says what to do instead. */

import { unavailable } from "./faults";

const INSTEAD: Record<string, string> = {
  watch: "nothing but the script itself changes its files; compare fs.stat results instead",
  watchFile: "nothing but the script itself changes its files; compare fs.stat results instead",
  unwatchFile: "nothing but the script itself changes its files; compare fs.stat results instead",
  openAsBlob: "read the file with fs.readFile",
};

export const absent: Record<string, () => never> = Object.fromEntries(
  Object.entries(INSTEAD).map(([name, instead]) => [
    name,
    (): never => {
      throw unavailable(`fs.${name}`, instead);
    },
  ]),
);
