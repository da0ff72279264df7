import { command, Failure } from "./command";
import { demandOperands } from "./operands";
import { quoted } from "./sizes";

export const mkfifo = command({
  name: "mkfifo",
  usage: "[OPTION]... NAME...",
  about: "Not possible here: the sandbox has no named pipes. A pipeline or <(command) does the same.",
  options: { mode: ["-m, --mode=MODE", "ignored"], context: ["-Z", "ignored"] },
  run(_process, _options, operands) {
    demandOperands(operands, 1);
    throw new Failure(`cannot create fifo ${quoted(operands[0]!)}: the sandbox has no named pipes; use a pipeline or <(command)`);
  },
});
