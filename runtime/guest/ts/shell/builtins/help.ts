/** help: short texts on builtins and keywords. */

import { compilePattern } from "../expand/pattern";
import type { Shell } from "../run/shell";
import { type Builtin, print, readOptions } from "./builtin";
import { TOPICS } from "./topics";

/** Topics of that very name, or that begin so, or that the pattern fits. */
function topicsOf(shell: Shell, pattern: string): readonly string[] {
  const names = Object.keys(TOPICS);
  if (pattern in TOPICS) return [pattern];
  const begun = names.filter((name) => name.startsWith(pattern));
  if (begun.length > 0) return begun;
  const compiled = compilePattern(pattern, shell.options);
  return names.filter((name) => compiled.test(name));
}

function entry(name: string, options: ReadonlyMap<string, string>): string {
  const [synopsis, line] = TOPICS[name]!;
  if (options.has("d")) return `${name} - ${line}\n`;
  return `${name}: ${synopsis}\n${options.has("s") ? "" : `    ${line}\n`}`;
}

const ALL = `\`help NAME' tells of one of these; the commands of /bin have --help.\n\n${Object.values(TOPICS).map(([synopsis]) => ` ${synopsis}\n`).join("")}`;

export const help: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "dms", "help [-dms] [pattern ...]");
  if (operands.length === 0) return print(shell, name, ALL);
  const found = operands.flatMap((operand) => {
    const topics = topicsOf(shell, operand);
    if (topics.length === 0) return [];
    const heading = /[*?\\]|\[[^]*\]/.test(operand) && !(operand in TOPICS) ? `Shell commands matching keyword \`${operand}'\n\n` : "";
    return [heading + topics.map((topic) => entry(topic, options)).join("")];
  });
  const last = operands[operands.length - 1]!;
  if (found.length === 0) shell.warn(`${name}: no help topics match \`${last}'.  Try \`help help' or \`man -k ${last}' or \`info ${last}'.`);
  const printed = print(shell, name, found.join(""));
  return found.length > 0 ? printed : 1;
};
