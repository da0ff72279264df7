/** type, command, builtin, hash, enable, alias, unalias. */

import { quoteSingle } from "../expand/quote";
import { each, then, type Maybe } from "../io/maybe";
import { excusing } from "../run/code";
import { hashedPath, lookUp, runCommand } from "../run/launch";
import { runBuiltin } from "../run/dispatch";
import type { Shell } from "../run/shell";
import { RESERVED } from "../syntax/reserved";
import { unparseFunction } from "../syntax/unparse";
import { type Builtin, print, readOptions, refuse } from "./builtin";
import { builtins } from "./table";

interface Meaning {
  readonly kind: "alias" | "keyword" | "function" | "builtin" | "file";
  /** What `type` says of it. */
  readonly text: string;
  /** What `command -v` says. */
  readonly short: string;
}

/** All that a name means, in the order in which the shell would look. */
function meanings(shell: Shell, name: string, functions = true, hashed = true): Meaning[] {
  const found: Meaning[] = [];
  const alias = shell.options.has("expand_aliases") ? shell.aliases.get(name) : undefined;
  if (alias !== undefined) found.push({ kind: "alias", text: `${name} is aliased to \`${alias}'`, short: `alias ${name}=${quoteSingle(alias)}` });
  if (RESERVED.has(name)) found.push({ kind: "keyword", text: `${name} is a shell keyword`, short: name });
  const definition = functions ? shell.functions.get(name) : undefined;
  if (definition) found.push({ kind: "function", text: `${name} is a function\n${unparseFunction(name, definition.body)}`, short: name });
  if (builtins.has(name) && !shell.disabled.has(name)) found.push({ kind: "builtin", text: `${name} is a shell builtin`, short: name });
  const command = lookUp(shell, name);
  if (command.kind !== "refused") found.push({ kind: "file", text: `${name} is ${hashed && hashedPath(shell, name) === command.path ? `hashed (${command.path})` : command.path}`, short: command.path });
  return found;
}

export const type: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "afptP", "type [-afptP] name [name ...]");
  let status = 0;
  const one = (operand: string): Maybe<void> => {
    let found = meanings(shell, operand, !options.has("f"), !options.has("a"));
    if (options.has("P")) found = found.filter(({ kind }) => kind === "file");
    if (found.length === 0) {
      status = 1;
      if (!options.has("t") && !options.has("p") && !options.has("P")) shell.warn(`${name}: ${operand}: not found`);
      return;
    }
    const shown = options.has("a") ? found : found.slice(0, 1);
    return then(print(shell, name, shown.map((meaning) => line(meaning, options)).join("")), () => {});
  };
  return then(each(operands, one), () => status);
};

function line(meaning: Meaning, options: ReadonlyMap<string, string>): string {
  if (options.has("t") && !options.has("P")) return `${meaning.kind}\n`;
  if (options.has("p") || options.has("P")) return meaning.kind === "file" ? `${meaning.short}\n` : "";
  return `${meaning.text}\n`;
}

export const command: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "pvV", "command [-pVv] command [arg ...]");
  if (!options.has("v") && !options.has("V")) return operands.length === 0 ? 0 : runPlain(shell, operands);
  let status = operands.length === 0 ? 0 : 1;
  let text = "";
  for (const operand of operands) {
    const [meaning] = meanings(shell, operand);
    if (meaning) {
      status = 0;
      text += `${options.has("V") ? meaning.text : meaning.short}\n`;
    } else if (options.has("V")) shell.warn(`${name}: ${operand}: not found`);
  }
  return then(print(shell, name, text), () => status);
};

/** Runs a builtin or a command, never a function. */
function runPlain(shell: Shell, words: readonly string[]): Maybe<number> {
  const known = shell.disabled.has(words[0]!) ? undefined : builtins.get(words[0]!);
  return known ? excusing(shell, () => runBuiltin(shell, known, words[0]!, words.slice(1), false)) : runCommand(shell, words);
}

export const builtin: Builtin = (shell, args, name) => {
  const { operands } = readOptions(name, args, "", "builtin [shell-builtin [arg ...]]");
  if (operands.length === 0) return 0;
  const known = builtins.get(operands[0]!) ?? refuse(name, `${operands[0]}: not a shell builtin`);
  return runBuiltin(shell, known, operands[0]!, operands.slice(1));
};

export const hash: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "dlp:rt", "hash [-lr] [-p pathname] [-dt] [name ...]");
  if (!shell.options.has("hashall")) refuse(name, "hashing disabled");
  if (options.has("r")) shell.hashed = new Map();
  if (options.has("t") && operands.length === 0) refuse(name, "-t: option requires an argument");
  const inside = (each: string): boolean => builtins.has(each) || shell.functions.has(each);
  hashedPath(shell, name); // forgets all of another PATH
  const hashed = new Map(shell.hashed);
  let text = "";
  for (const operand of operands) {
    if (options.has("p")) hashed.set(operand, options.get("p")!);
    else if (options.has("d")) hashed.delete(operand) || refuse(name, `${operand}: not found`);
    else {
      const found = lookUp(shell, operand);
      if (found.kind !== "refused" && options.has("t")) text += operands.length > 1 ? `${operand}\t${found.path}\n` : `${found.path}\n`;
      else if (found.kind !== "refused" && !operand.includes("/") && !inside(operand)) hashed.set(operand, found.path);
      else if (found.kind === "refused" && !inside(operand)) refuse(name, `${operand}: not found`);
    }
  }
  shell.hashedBy = shell.variables.get("PATH");
  shell.hashed = hashed;
  return print(shell, name, operands.length === 0 && !options.has("r") ? hashTable(hashed, options.has("l"), name) : text);
};

/** The paths that `hash` was asked for: others are found anew each time. */
function hashTable(hashed: ReadonlyMap<string, string>, again: boolean, name: string): string {
  if (hashed.size === 0) return `${name}: hash table empty\n`;
  if (again) return [...hashed].map(([each, path]) => `builtin hash -p ${path} ${each}\n`).join("");
  return `hits\tcommand\n${[...hashed.values()].map((path) => `   0\t${path}\n`).join("")}`;
}

export const enable: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "adnps", "enable [-a] [-dnps] [-f filename] [name ...]");
  for (const operand of operands) {
    if (!builtins.has(operand)) refuse(name, `${operand}: not a shell builtin`);
    const disabled = new Set(shell.disabled);
    if (options.has("n")) disabled.add(operand);
    else disabled.delete(operand);
    shell.disabled = disabled;
    shell.shadowed = true;
  }
  if (operands.length > 0) return 0;
  const shown = [...builtins.keys()].sort().filter((each) => options.has("a") || shell.disabled.has(each) === options.has("n"));
  return print(shell, name, shown.map((each) => `enable ${shell.disabled.has(each) ? "-n " : ""}${each}\n`).join(""));
};

export const alias: Builtin = (shell, args, name) => {
  const { operands } = readOptions(name, args, "p", "alias [-p] [name[=value] ... ]");
  const shown = (key: string): string => `alias ${key.startsWith("-") ? "-- " : ""}${key}=${quoteSingle(shell.aliases.get(key)!)}\n`;
  if (operands.length === 0) return print(shell, name, [...shell.aliases.keys()].sort().map(shown).join(""));
  let status = 0;
  const one = (operand: string): Maybe<void> => {
    const at = operand.indexOf("=");
    if (at > 0 && /[\s"'\\$`&()/;<>|]/.test(operand.slice(0, at))) {
      shell.warn(`${name}: \`${operand.slice(0, at)}': invalid alias name`);
      status = 1;
      return;
    }
    if (at > 0) {
      shell.aliases = new Map(shell.aliases).set(operand.slice(0, at), operand.slice(at + 1));
      return;
    }
    if (shell.aliases.has(operand)) return then(print(shell, name, shown(operand)), () => {});
    shell.warn(`${name}: ${operand}: not found`);
    status = 1;
  };
  return then(each(operands, one), () => status);
};

export const unalias: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "a", "unalias [-a] name [name ...]");
  if (options.has("a")) shell.aliases = new Map();
  let status = 0;
  for (const operand of operands) {
    const aliases = new Map(shell.aliases);
    if (aliases.delete(operand)) {
      shell.aliases = aliases;
      continue;
    }
    shell.warn(`${name}: ${operand}: not found`);
    status = 1;
  }
  return status;
};
