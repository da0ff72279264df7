import { chmod } from "../vfs/meta";
import { mkfifo as make } from "../vfs/tree";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { command, Failure } from "./command";
import { parseMode } from "./modes";
import { demandOperands } from "./operands";
import { quoted } from "./sizes";

const ALL = 0o666;

export const mkfifo = command({
  name: "mkfifo",
  usage: "[OPTION]... NAME...",
  about: "Create named pipes (FIFOs) with the given NAMEs.",
  options: { mode: ["-m, --mode=MODE", "set file permission bits to MODE, not a=rw - umask"], context: ["-Z", "ignored"] },
  run(process, options, operands) {
    demandOperands(operands, 1);
    const { context } = process;
    const text = options.value("mode");
    const change = text === undefined ? undefined : parseMode(text);
    if (text !== undefined && !change) throw new Failure("invalid mode");
    const attempts = new Attempts(process);
    for (const path of operands) {
      attempts.try(() => `cannot create fifo ${quoted(path)}`, () => {
        make(context, path, ALL);
        if (change) chmod(context, find(context, path, false), change(ALL, false, context.umask));
      });
    }
    return attempts.status;
  },
});
