/** What a builtin is, and what builtins have in common. */

import type { Maybe } from "../io/maybe";
import { writeTo } from "../io/writer";
import { ShellError } from "../run/errors";
import type { Shell } from "../run/shell";

/** Does its work in the shell itself; `args` lie behind the name. A ShellError that it throws is printed and is its status. */
export type Builtin = (shell: Shell, args: readonly string[], name: string) => Maybe<number>;

/** Ends a builtin with a message behind its name. */
export function refuse(name: string, message: string, status = 1): never {
  throw new ShellError(`${name}: ${message}`, status);
}

/** Ends it as bash ends on a wrong option. */
export function invalidOption(name: string, option: string, usage: string): never {
  throw new ShellError(`${name}: ${option}: invalid option\n${name}: usage: ${usage}`, 2);
}

/** Single letters in front of the operands: `letters` lists them, with a `:` behind those that take a value. */
export function readOptions(name: string, args: readonly string[], letters: string, usage: string): { options: Map<string, string>; operands: readonly string[] } {
  const options = new Map<string, string>();
  let index = 0;
  for (; index < args.length; index += 1) {
    const word = args[index]!;
    if (word === "--") return { options, operands: args.slice(index + 1) };
    if (!word.startsWith("-") || word === "-") break;
    for (let at = 1; at < word.length; at += 1) {
      const letter = word[at]!;
      const known = letters.indexOf(letter);
      if (known < 0 || letter === ":") invalidOption(name, `-${letter}`, usage);
      if (letters[known + 1] !== ":") {
        options.set(letter, "");
        continue;
      }
      const attached = word.slice(at + 1);
      const value = attached !== "" ? attached : args[++index];
      if (value === undefined) throw new ShellError(`${name}: -${letter}: option requires an argument\n${name}: usage: ${usage}`, 2);
      options.set(letter, value);
      break;
    }
  }
  return { options, operands: args.slice(index) };
}

/** Writes to the shell's stdout; a closed or full one is an error of the builtin. */
export function print(shell: Shell, name: string, text: string): Maybe<number> {
  if (text === "") return 0;
  const file = shell.context.descriptors.find(1);
  if (file === undefined) refuse(name, "write error: Bad file descriptor");
  const written = writeTo(file, text);
  return written === undefined ? 0 : written.then(() => 0);
}
