import { asciiEscapes, decodeEscapes } from "./escapes";
import { type Builtin, print } from "./builtin";

const OPTIONS = /^-[neE]+$/;

export const echo: Builtin = (shell, args, name) => {
  let [newline, escapes] = [true, shell.options.has("xpg_echo")];
  let first = 0;
  for (; first < args.length && args[first]!.startsWith("-") && OPTIONS.test(args[first]!); first += 1) {
    for (const letter of args[first]!.slice(1)) {
      if (letter === "n") newline = false;
      else escapes = letter === "e";
    }
  }
  const text = (first === 0 ? args : args.slice(first)).join(" ");
  if (!escapes) return print(shell, name, newline ? `${text}\n` : text);
  const { text: decoded, stopped } = decodeEscapes(shell.variables.bytewise ? asciiEscapes(text) : text);
  return print(shell, name, newline && !stopped ? `${decoded}\n` : decoded);
};
