import { command } from "./command";
import { demandOperands } from "./operands";
import { refusal } from "./programs";
import { quoted } from "./sizes";

export const nohup = command({
  name: "nohup",
  usage: "COMMAND [ARG]...",
  about: "Run COMMAND; nothing hangs up here.",
  options: {},
  failure: 125,
  inOrder: true,
  run(process, _options, operands) {
    demandOperands(operands, 1);
    return refusal(process, operands[0]!, `failed to run command ${quoted(operands[0]!)}`) || process.launch(operands);
  },
});
