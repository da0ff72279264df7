/** set and shopt. */

import { quoteTrace, quoteValue } from "../expand/quote";
import { AssociativeArray, IndexedArray } from "../run/arrays";
import { ShellError } from "../run/errors";
import type { Shell } from "../run/shell";
import { type Builtin, invalidOption, print, readOptions } from "./builtin";

const USAGE = "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]";

/** Options of `set -o`, in the order in which it lists them. */
const LETTERS: Readonly<Record<string, string>> = {
  allexport: "a", braceexpand: "B", emacs: "", errexit: "e", errtrace: "E", functrace: "T", hashall: "h", histexpand: "H",
  history: "", ignoreeof: "", "interactive-comments": "", keyword: "k", monitor: "m", noclobber: "C", noexec: "n",
  noglob: "f", nolog: "", notify: "b", nounset: "u", onecmd: "t", physical: "P", pipefail: "", posix: "", privileged: "p",
  verbose: "v", vi: "", xtrace: "x",
};
const BY_LETTER = new Map(Object.entries(LETTERS).flatMap(([name, letter]) => (letter ? [[letter, name] as const] : [])));

/** Options of `shopt`. */
const SHOPT = [
  "assoc_expand_once", "autocd", "cdable_vars", "cdspell", "checkhash", "checkjobs", "checkwinsize", "cmdhist", "compat31",
  "compat32", "compat40", "compat41", "compat42", "compat43", "compat44", "complete_fullquote", "direxpand", "dirspell",
  "dotglob", "execfail", "expand_aliases", "extdebug", "extglob", "extquote", "failglob", "force_fignore",
  "globasciiranges", "globskipdots", "globstar", "gnu_errfmt", "histappend", "histreedit", "histverify", "hostcomplete",
  "huponexit", "inherit_errexit", "interactive_comments", "lastpipe", "lithist", "localvar_inherit", "localvar_unset",
  "login_shell", "mailwarn", "no_empty_cmd_completion", "nocaseglob", "nocasematch", "noexpand_translation", "nullglob",
  "patsub_replacement", "progcomp", "progcomp_alias", "promptvars", "restricted_shell", "shift_verbose", "sourcepath",
  "varredir_close", "xpg_echo",
];

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
      if (value === undefined) return "";
      return `${name}=${typeof value === "string" ? (value === "" ? "" : quoteTrace(value)) : arrayText(value)}\n`;
    })
    .join("");
}

/** `([0]="a" [1]="b")`, as declare prints it. */
export function arrayText(value: IndexedArray | AssociativeArray): string {
  const keys = value.keys();
  const items = value.values().map((item, at) => {
    const key = keys[at]!;
    return `[${typeof key === "number" || /^[\w./:+-]+$/.test(key) ? key : doubleQuoted(key)}]=${doubleQuoted(item)}`;
  });
  if (value instanceof IndexedArray) return `(${items.join(" ")})`;
  return items.length > 0 ? `(${items.join(" ")} )` : "()";
}

/** As declare -p quotes: in double quotes, or `$'…'` where control characters are in it. */
export function doubleQuoted(text: string): string {
  if (/[\x00-\x1f\x7f]/.test(text)) return quoteValue(text);
  return `"${text.replace(/[\\"$`]/g, "\\$&")}"`;
}

export const shopt: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "supqo", "shopt [-pqsu] [-o] [optname ...]");
  const known: readonly string[] = options.has("o") ? Object.keys(LETTERS) : SHOPT;
  const valid = operands.filter((option) => known.includes(option));
  for (const option of operands) if (!known.includes(option)) shell.warn(`${name}: ${option}: invalid shell option name`);
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
