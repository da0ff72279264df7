import { UsageFault } from "../run/errors";
import { assignReference } from "../expand/assign";
import type { Variable } from "../run/variable";
import { type Builtin, readOptions, refuse } from "./builtin";

const USAGE = "getopts optstring name [arg ...]";

/** Where in a word of bundled letters it stopped, and by which index: by the variable OPTIND, of which a function may have its own. */
const places = new WeakMap<Variable, { readonly index: number; readonly at: number }>();

export const getopts: Builtin = (shell, args, name) => {
  const [spec, target, ...given] = readOptions(name, args, "", USAGE).operands;
  if (spec === undefined || target === undefined) throw new UsageFault(name, USAGE);
  const valid = /^[A-Za-z_]\w*$/.test(target);
  const words = given.length > 0 ? given : shell.positional;
  const quiet = spec.startsWith(":");
  let index = Math.max(1, Number(shell.variables.get("OPTIND")) || 1);
  const optind = shell.variables.own("OPTIND");
  const before = optind && places.get(optind);
  let at = before?.index === index ? before.at : 1;
  const store = (value: string, argument: string | undefined): void => {
    shell.variables.set("OPTIND", String(index));
    const stored = shell.variables.own("OPTIND");
    if (stored) places.set(stored, { index, at });
    if (argument === undefined) shell.variables.unset("OPTARG");
    else shell.variables.set("OPTARG", argument);
    if (!valid) refuse(name, `\`${target}': not a valid identifier`);
    void assignReference(shell, target, value);
  };
  const warn = (message: string): void => {
    if (!quiet && shell.variables.get("OPTERR") !== "0") void shell.stderr.write(`${shell.name}: ${message}\n`);
  };

  const word = words[index - 1];
  if (word === undefined || !/^-./.test(word) || word === "--") {
    if (word === "--") index += 1;
    else if (word === undefined) index = words.length + 1;
    at = 1;
    store("?", undefined);
    return 1;
  }
  const letter = word[at]!;
  const place = letter === ":" ? -1 : spec.indexOf(letter, quiet ? 1 : 0);
  at += 1;
  const last = at >= word.length;
  if (place < 0 || spec[place + 1] !== ":") {
    if (last) [index, at] = [index + 1, 1];
    if (place < 0) {
      warn(`illegal option -- ${letter}`);
      store("?", quiet ? letter : undefined);
    } else store(letter, undefined);
    return 0;
  }
  const argument = last ? words[index] : word.slice(at);
  index += last ? 2 : 1;
  at = 1;
  if (argument !== undefined) {
    store(letter, argument);
    return 0;
  }
  index = words.length + 1;
  warn(`option requires an argument -- ${letter}`);
  store(quiet ? ":" : "?", quiet ? letter : undefined);
  return 0;
};
