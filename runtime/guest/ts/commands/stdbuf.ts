import { command } from "./command";
import { demandOperands } from "./operands";
import { UsageFault } from "./options";
import { refusal } from "./programs";
import { quoted } from "./sizes";

export const stdbuf = command({
  name: "stdbuf",
  usage: "OPTION... COMMAND [ARG]...",
  about: "Run COMMAND; output goes on at once here as far as it can.",
  options: {
    input: ["-i, --input=MODE", "ignored"],
    output: ["-o, --output=MODE", "ignored"],
    error: ["-e, --error=MODE", "ignored"],
  },
  failure: 125,
  inOrder: true,
  run(process, options, operands) {
    demandOperands(operands, 1);
    if (!options.has("input") && !options.has("output") && !options.has("error")) throw new UsageFault("you must specify a buffering mode option");
    return refusal(process, operands[0]!, `failed to run command ${quoted(operands[0]!)}`) || process.launch(operands);
  },
});
