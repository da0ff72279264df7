/** set and shopt. */

import { compoundText } from "../expand/declaration";
import { quoteListed } from "../expand/quote";
import { unitsOf } from "../expand/units";
import { ShellError } from "../run/errors";
import { BY_LETTER, LETTERS, SHOPT } from "../run/options";
import type { Shell } from "../run/shell";
import { type Builtin, invalidOption, print, readOptions, refuse } from "./builtin";

const USAGE = "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]";

export const set: Builtin = (shell, args, name) => {
  if (args.length === 0) return print(shell, name, variablesListing(shell));
  let index = 0;
  for (; index < args.length; index += 1) {
    const word = args[index]!;
    if (word === "--" || word === "-") {
      if (word === "-") for (const option of ["xtrace", "verbose"]) shell.setOption(option, false);
      if (word === "--" || index + 1 < args.length) giveParameters(shell, args.slice(index + 1));
      return 0;
    }
    if (word === "+") continue;
    if (!/^[-+]./.test(word)) break;
    const on = word.startsWith("-");
    for (const letter of word.slice(1)) {
      if (letter !== "o") {
        shell.setOption(BY_LETTER.get(letter) ?? invalidOption(name, word.charAt(0) + letter, USAGE), on);
        continue;
      }
      const option = args[++index];
      if (option === undefined) return print(shell, name, on ? optionsListing(shell) : optionsCommands(shell));
      if (!(option in LETTERS)) throw new ShellError(`${name}: ${option}: invalid option name`, 2);
      shell.setOption(option, on);
    }
  }
  if (index < args.length) giveParameters(shell, args.slice(index));
  return 0;
};

function giveParameters(shell: Shell, words: readonly string[]): void {
  shell.positional = words;
  shell.parametersSet += 1;
}

function optionsListing(shell: Shell): string {
  return Object.keys(LETTERS).map((name) => `${name.padEnd(15)}\t${shell.options.has(name) ? "on" : "off"}\n`).join("");
}

function optionsCommands(shell: Shell): string {
  return Object.keys(LETTERS).map((name) => `set ${shell.options.has(name) ? "-" : "+"}o ${name}\n`).join("");
}

function variablesListing(shell: Shell): string {
  return shell.variables
    .names()
    .map((name) => {
      const { value } = shell.variables.own(name)!;
      if (value === undefined || (typeof value === "object" && value.bare && value.size === 0)) return "";
      return `${name}=${typeof value === "string" ? (value === "" ? "" : quoteListed(unitsOf(shell, value))) : compoundText(shell, value)}\n`;
    })
    .join("");
}

export const shopt: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "supqo", "shopt [-pqsu] [-o] [optname ...]");
  if (options.has("s") && options.has("u")) refuse(name, "cannot set and unset shell options simultaneously");
  const known: readonly string[] = options.has("o") ? Object.keys(LETTERS) : SHOPT;
  const valid = operands.filter((option) => known.includes(option));
  for (const option of operands) if (!known.includes(option)) shell.warn(`${name}: ${option}: invalid ${options.has("o") ? "option" : "shell option"} name`);
  const change = options.has("s") || options.has("u");
  if (change && operands.length > 0) {
    for (const option of valid) shell.setOption(option, options.has("s"));
    return valid.length < operands.length ? 1 : 0;
  }
  const shown = (operands.length > 0 ? valid : known).filter((option) => !change || shell.options.has(option) === options.has("s"));
  const status = operands.every((option) => shell.options.has(option)) ? 0 : 1;
  if (options.has("q")) return status;
  const line = (option: string): string => {
    const on = shell.options.has(option);
    if (options.has("p")) return options.has("o") ? `set ${on ? "-" : "+"}o ${option}\n` : `shopt ${on ? "-s" : "-u"} ${option}\n`;
    return `${option.padEnd(15)}\t${on ? "on" : "off"}\n`;
  };
  const printed = print(shell, name, shown.map(line).join(""));
  return operands.length === 0 ? printed : printed instanceof Promise ? printed.then(() => status) : status;
};
