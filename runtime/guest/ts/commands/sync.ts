import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { command } from "./command";
import { nameQuoted } from "./quoting";

export const sync = command({
  name: "sync",
  usage: "[OPTION] [FILE]...",
  about: "Nothing has to be written out here; each FILE must be there.",
  options: { data: ["-d, --data", "ignored"], system: ["-f, --file-system", "ignored"] },
  run(process, _options, operands) {
    const attempts = new Attempts(process);
    for (const path of operands) attempts.done(() => `error opening ${nameQuoted(path)}`, () => void find(process.context, path));
    return attempts.status;
  },
});
