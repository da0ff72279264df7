/** less and more: nobody looks at pages here, so they print as they do to a file. */

import { then } from "../shell/io/maybe";
import { copy } from "./cat";
import { command } from "./command";
import { eachInput } from "./files";

const RULE = "::::::::::::::";

export const less = command({
  name: "less",
  usage: "[OPTION]... [FILE]...",
  about: "Print the files one after the other, or standard input: there is no terminal to show pages on.",
  options: { paging: ["-c, -e, -E, -f, -F, -g, -G, -i, -I, -J, -m, -M, -n, -N, -q, -Q, -r, -R, -s, -S, -w, -W, -X", "of the pages: ignored"] },
  run: (process, _options, operands) => eachInput(process, operands, (reader) => copy(process, reader)),
});

export const more = command({
  name: "more",
  usage: "[OPTION]... [FILE]...",
  about: "Print the files one after the other under their names, or standard input: there is no terminal to show pages on.",
  options: { paging: ["-c, -d, -e, -f, -l, -p, -s, -u", "of the pages: ignored"] },
  run: (process, _options, operands) =>
    eachInput(process, operands, (reader, name) =>
      then(operands.length > 0 ? process.stdout.write(`${RULE}\n${name}\n${RULE}\n`) : undefined, () => copy(process, reader)),
    ),
});
