import { command, Failure } from "./command";
import { UsageFault } from "./options";
import { refusal } from "./programs";
import { quoted } from "./sizes";

const TROUBLE = 125;

export const nice = command({
  name: "nice",
  usage: "[OPTION] [COMMAND [ARG]...]",
  about: "Run COMMAND; there are no priorities here.",
  options: { adjustment: ["-n, --adjustment=N", "ignored"] },
  failure: TROUBLE,
  inOrder: true,
  rewrite: (args) => (/^--?\d+$/.test(args[0] ?? "") ? ["-n", args[0]!.slice(1), ...args.slice(1)] : args),
  run(process, options, operands) {
    const by = options.value("adjustment");
    if (by !== undefined && !/^\s*[-+]?\d+$/.test(by)) throw new Failure(`invalid adjustment ${quoted(by)}`, TROUBLE);
    if (operands.length === 0) {
      if (by !== undefined) throw new UsageFault("a command must be given with an adjustment");
      process.stdout.print("0\n");
      return 0;
    }
    return refusal(process, operands[0]!) || process.launch(operands);
  },
});
