/** compgen: names that begin with a text, of the kinds that are asked for. */

import { commands } from "../../commands/table";
import { glob, paths } from "../expand/glob";
import { compilePattern } from "../expand/pattern";
import { escapePattern } from "../expand/pattern/escape";
import { expandText } from "../expand/prompt";
import { then, type Maybe } from "../io/maybe";
import { SIGNALS } from "../io/signals";
import { IndexedArray } from "../run/arrays";
import { ShellError } from "../run/errors";
import { LETTERS, SHOPT } from "../run/options";
import type { Shell } from "../run/shell";
import { RESERVED } from "../syntax/reserved";
import { type Builtin, print, readOptions, refuse } from "./builtin";
import { builtins } from "./table";

type Source = (shell: Shell, prefix: string) => Iterable<string>;

const files: Source = (shell, prefix) => paths(shell, `${escapePattern(prefix)}*`);
const folders: Source = (shell, prefix) => paths(shell, `${escapePattern(prefix)}*/`).map((path) => path.slice(0, -1));
const variables: Source = (shell) => shell.variables.names();
const active: Source = (shell) => [...builtins.keys()].filter((name) => !shell.disabled.has(name));

/** By the names that `-A` takes. */
const SOURCES: Readonly<Record<string, Source>> = {
  alias: ({ aliases }) => [...aliases.keys()].sort(),
  arrayvar: (shell) => shell.variables.names().filter((name) => shell.variables.own(name)!.value instanceof IndexedArray),
  builtin: () => builtins.keys(),
  command: (shell) => [...shell.aliases.keys(), ...RESERVED, ...shell.functions.keys(), ...builtins.keys(), ...commands.keys()],
  directory: folders,
  disabled: ({ disabled }) => disabled,
  enabled: active,
  export: ({ variables: { exported } }) => exported.keys(),
  file: files,
  function: ({ functions }) => [...functions.keys()].sort(),
  group: () => [],
  helptopic: () => builtins.keys(),
  hostname: () => [],
  job: ({ jobs }) => jobs.shown.map(({ text }) => text),
  keyword: () => RESERVED,
  running: ({ jobs }) => jobs.shown.filter(({ status }) => status === undefined).map(({ text }) => text),
  service: () => [],
  setopt: () => Object.keys(LETTERS),
  shopt: () => SHOPT,
  signal: () => Object.keys(SIGNALS).map((name) => `SIG${name}`),
  stopped: () => [],
  user: () => ["root", "user"],
  variable: variables,
};

const BY_LETTER: Readonly<Record<string, string>> = {
  a: "alias", b: "builtin", c: "command", d: "directory", e: "export", f: "file", g: "group", j: "job", k: "keyword",
  s: "service", u: "user", v: "variable",
};

const USAGE =
  "compgen [-abcdefgjksuv] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [word]";

export const compgen: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "abcdefgjksuvo:A:G:W:F:C:X:P:S:", USAGE);
  for (const letter of ["F", "C"]) if (options.has(letter)) refuse(name, `-${letter}: not supported in the sandbox, for there is no line editor`, 2);
  const [prefix = ""] = operands;
  const found: string[] = [];
  const action = options.get("A");
  if (action !== undefined && !Object.hasOwn(SOURCES, action)) throw new ShellError(`${name}: ${action}: invalid action name`, 2);
  for (const kind of [action, ...[...options.keys()].map((letter) => BY_LETTER[letter])]) if (kind !== undefined) found.push(...SOURCES[kind]!(shell, prefix));
  return then(words(shell, options.get("W")), (listed) => {
    const pattern = options.get("G");
    const matching = [...found, ...listed].filter((each) => each.startsWith(prefix));
    const all = [...(pattern === undefined ? [] : (glob(shell, pattern) ?? [])), ...matching];
    const kept = filtered(shell, all, options.get("X"));
    const lines = kept.map((each) => `${options.get("P") ?? ""}${each}${options.get("S") ?? ""}\n`);
    return then(print(shell, name, lines.join("")), () => (kept.length > 0 || options.size === 0 ? 0 : 1));
  });
};

/** The list of `-W`, expanded and split as a word is. */
function words(shell: Shell, list: string | undefined): Maybe<readonly string[]> {
  if (list === undefined) return [];
  const separators = new Set(shell.variables.get("IFS") ?? " \t\n");
  return then(expandText(shell, list), (text) => {
    const found = [""];
    for (const each of text) {
      if (separators.has(each)) found.push("");
      else found[found.length - 1] += each;
    }
    return found.filter((each) => each !== "");
  });
}

/** `-X`: what matches is left out, behind `!` what does not. */
function filtered(shell: Shell, found: readonly string[], filter: string | undefined): readonly string[] {
  if (filter === undefined) return found;
  const keeps = filter.startsWith("!");
  const pattern = compilePattern(keeps ? filter.slice(1) : filter, shell.options);
  return found.filter((each) => pattern.test(each) === keeps);
}
