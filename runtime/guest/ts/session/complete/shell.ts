/** Completion of the shell. */

import { table } from "../../bridge/tools";
import { commands } from "../../commands/table";
import { builtins, externals } from "../../shell/builtins/table";
import type { Shell } from "../../shell/run/shell";
import type { Session } from "../session";
import { optionsOf } from "./options";
import { pathsFor } from "./paths";
import { type Candidate, type Completed, nothing } from "./slot";
import { type Place, keywords, placeIn } from "./words";

const SPECIAL = /[\s\\'"`$&|;<>()*?[\]#~!{}]/g;
const QUOTED_SPECIAL = /[\\"$`]/g;
const TAKES_FOLDERS = new Set(["cd", "pushd", "rmdir"]);
const TAKES_VARIABLES = new Set(["declare", "export", "getopts", "let", "local", "mapfile", "read", "readarray", "readonly", "typeset", "unset"]);
const TAKES_COMMANDS = new Set(["command", "env", "exec", "man", "nice", "nohup", "time", "type", "which", "xargs"]);
const TAKES_ALIASES = new Set(["alias", "unalias"]);

export function completeShell(session: Session | undefined, shell: Shell, text: string): Completed {
  const place = placeIn(text);
  if (place.inComment) return nothing;
  if (place.variable) return variables(shell, place.variable);
  const [command] = place.words;
  if (place.isTarget) return files(session, shell, place);
  if (command === undefined) return commandAt(session, shell, place);
  if (command === "tool") return toolAt(place);
  if (place.typed.startsWith("-")) return answer(place, optionsOf(shell, command));
  if (TAKES_VARIABLES.has(command)) return answer(place, variableNames(shell));
  if (TAKES_ALIASES.has(command)) return answer(place, [...shell.aliases].map(([name, value]) => [name, "alias", value]));
  if (TAKES_COMMANDS.has(command) && place.words.length === 1) return commandAt(session, shell, place);
  return files(session, shell, place, TAKES_FOLDERS.has(command));
}

/** Candidates that begin with what was typed, spelt as the word's quotes want. */
function answer(place: Place, candidates: readonly Candidate[], end = " "): Completed {
  const fitting = candidates.filter(([text]) => text.startsWith(place.typed));
  return { start: place.start, candidates: fitting.map(([text, kind, detail]) => [spelt(text, place.quote, end), kind, detail]) };
}

/** A word in the quotes that it was begun in; `end` tells whether it is over, so that they are closed. */
function spelt(text: string, quote: string, end: string): string {
  if (quote === "'") return `'${text.replaceAll("'", "'\\''")}${end === "" ? "" : "'"}`;
  if (quote === '"') return `"${text.replace(QUOTED_SPECIAL, "\\$&")}${end === "" ? "" : '"'}`;
  return text.replaceAll("\n", "$'\\n'").replace(SPECIAL, (char, at: number) => (char === "~" && at > 0) || /[$'\n]/.test(char) && text.includes("\n") ? char : `\\${char}`);
}

function variables(shell: Shell, { start, typed, isBraced }: NonNullable<Place["variable"]>): Completed {
  const fitting = variableNames(shell).filter(([name]) => name.startsWith(typed));
  return { start, candidates: fitting.map(([name, kind, detail]) => [isBraced ? `${name}}` : name, kind, detail]) };
}

function variableNames(shell: Shell): Candidate[] {
  return shell.variables.names().map((name) => [name, "variable", short(shell.variables.get(name) ?? "")]);
}

function short(text: string): string {
  const line = text.split("\n")[0]!;
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

function commandAt(session: Session | undefined, shell: Shell, place: Place): Completed {
  if (/^[A-Za-z_]\w*=/.test(place.typed)) return files(session, shell, afterEquals(place));
  if (place.typed.includes("/")) return files(session, shell, place);
  const found = new Map<string, Candidate>();
  const add = (names: Iterable<string>, kind: string): void => {
    for (const name of names) if (!found.has(name)) found.set(name, [name, kind, ""]);
  };
  add(shell.aliases.keys(), "alias");
  add(shell.functions.keys(), "function");
  add(keywords, "keyword");
  add(builtins.keys(), "builtin");
  add(commands.keys(), "command");
  add(externals.keys(), "command");
  return answer(place, [...found.values()].filter(([name]) => /^\w/.test(name) || place.typed !== "").sort((a, b) => (a[0] < b[0] ? -1 : 1)));
}

/** The value of an assignment as a word of its own. */
function afterEquals(place: Place): Place {
  const name = /^\w+=/.exec(place.typed)![0];
  return { ...place, start: place.start + name.length, typed: place.typed.slice(name.length) };
}

function files(session: Session | undefined, shell: Shell, place: Place, onlyFolders = false): Completed {
  const context = session?.looking ?? shell.context;
  const found = pathsFor(context, shell.context.cwd, place.typed, shell.variables.get("HOME"));
  const shown = found.filter(({ isDirectory }) => isDirectory || !onlyFolders);
  const candidates = shown.map(({ path, isDirectory }): Candidate =>
    isDirectory ? [tilded(spelt(`${path}/`, place.quote, ""), path), "directory", ""] : [tilded(spelt(path, place.quote, " "), path), "file", ""],
  );
  return { start: place.start, candidates };
}

/** A `~/` that was typed stays one. */
function tilded(text: string, path: string): string {
  return path.startsWith("~/") ? text.replace(/^\\~/, "~") : text;
}

// --- tools ---------------------------------------------------------------------------------------

function toolAt(place: Place): Completed {
  const [, name, ...rest] = place.words;
  if (name === undefined) return answer(place, toolNames());
  const tool = toolIn(place.words);
  if (tool === undefined) return nothing;
  const used = rest.filter((word) => word.startsWith("--")).map((word) => word.slice(2).replace(/=.*/s, ""));
  const given = /^--([\w.-]+)=(.*)$/s.exec(place.typed);
  const slot = { tool, path: [], used, quote: place.quote };
  if (given) return { start: place.start + given[1]!.length + 3, candidates: [], slot: { ...slot, key: given[1], prefix: given[2]! } };
  const last = rest[rest.length - 1];
  if (place.typed.startsWith("-") || last === undefined || !/^--[\w.-]+$/.test(last)) {
    return { start: place.start, candidates: [], slot: { ...slot, prefix: place.typed } };
  }
  return { start: place.start, candidates: [], slot: { ...slot, key: last.slice(2), prefix: place.typed } };
}

function toolNames(): Candidate[] {
  return table.list().map(({ path, description }) => [path.replaceAll("/", "."), "tool", description.split("\n")[0]!]);
}

function toolIn([command, name]: readonly string[]): string | undefined {
  if (command !== "tool" || name === undefined) return undefined;
  const path = table.canonical(name);
  return table.list().some((tool) => tool.path === path) ? path : undefined;
}

/** The tool that the line calls where the cursor is. */
export function toolBefore(text: string): string | undefined {
  const { words, typed } = placeIn(text);
  return toolIn(words) ?? (words.length === 1 ? toolIn([...words, typed]) : undefined);
}
