import { quoteSingle, quoteValue } from "../expand/quote";
import { SIGNALS } from "../io/signals";
import { UsageFault } from "../run/errors";
import { displayName, signalName } from "../run/traps";
import { type Builtin, print, readOptions } from "./builtin";

const USAGE = "trap [-lp] [[arg] signal_spec ...]";

export const trap: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args[0] === "-" ? ["--", ...args] : args, "lp", USAGE);
  if (options.has("l")) return print(shell, name, signalList());
  if (operands.length === 0 || options.has("p")) {
    const wanted = operands.map((operand) => signalName(operand));
    const shown = [...(shell.shownTraps ?? shell.traps)].sort(([a], [b]) => order(a) - order(b)).filter(([signal]) => operands.length === 0 || wanted.includes(signal));
    return print(shell, name, shown.map(([signal, action]) => `trap -- ${singleQuoted(action)} ${displayName(signal)}\n`).join(""));
  }
  // A lone signal, or a number in front, puts signals back.
  const reset = operands.length === 1 || operands[0] === "-" || (/^\d+$/.test(operands[0]!) && signalName(operands[0]!) !== undefined);
  if (operands.length === 1 && (operands[0] === "" || signalName(operands[0]!) === undefined)) throw new UsageFault(name, USAGE);
  const signals = reset && operands[0] !== "-" ? operands : operands.slice(1);
  let status = 0;
  shell.shownTraps = undefined;
  for (const operand of signals) {
    const signal = signalName(operand);
    if (signal === undefined) {
      shell.warn(`${name}: ${operand}: invalid signal specification`);
      status = 1;
    } else if (shell.unheard.has(signal)) continue;
    else if (reset) shell.setTrap(signal, undefined);
    else shell.setTrap(signal, operands[0]!);
  }
  return status;
};

const PSEUDO = ["DEBUG", "ERR", "RETURN"];

/** EXIT, then signals by number, then the traps that are no signals. */
function order(name: string): number {
  return name === "EXIT" ? 0 : (SIGNALS[name] ?? 1000 + PSEUDO.indexOf(name));
}

function singleQuoted(text: string): string {
  return /[\x00-\x1f\x7f]/.test(text) && !/^[^\x00-\x08\x0b-\x1f\x7f]*$/.test(text) ? quoteValue(text) : quoteSingle(text);
}

/** Five to a line, as bash prints them. */
export function signalList(): string {
  const cells = Object.entries(SIGNALS).map(([signal, number]) => `${String(number).padStart(2)}) SIG${signal}`);
  let text = "";
  cells.forEach((cell, index) => (text += cell + (index % 5 === 4 ? "\n" : "\t")));
  return `${text}\n`;
}
