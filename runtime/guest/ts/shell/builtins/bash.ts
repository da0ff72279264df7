/** bash and sh as commands: a shell of its own in the same sandbox. */

import { UnsetFault } from "../expand/errors";
import { describeErrno } from "../io/errors";
import { then, type Maybe } from "../io/maybe";
import { Reader } from "../io/reader";
import { fail } from "../../vfs/errors";
import { O_RDONLY } from "../../vfs/flags";
import { exists } from "../../vfs/meta";
import { open } from "../../vfs/open";
import { OpenDirectory } from "../../vfs/openfile";
import { spawn } from "../run/birth";
import { ShellError } from "../run/errors";
import { live } from "../run/life";
import type { Shell } from "../run/shell";
import { type Builtin, print } from "./builtin";
import { runInput } from "./command_input";
import { evaluate } from "./flow";
import { set, shopt } from "./set";

const VERSION = `GNU bash, version 5.2.15(1)-release compatible (amla)\n`;
const HELP = `Usage: bash [option]... [-c COMMAND [NAME [ARG]...] | FILE [ARG]... | -s [ARG]...]
Runs shell commands in a shell of its own. Options are those of \`set', -O and +O those of \`shopt'.
`;
/** Long options that change nothing here. */
const IGNORED = new Set(["--norc", "--noprofile", "--login", "--restricted", "--noediting"]);

interface Plan {
  readonly kind: "text" | "file" | "input";
  readonly text: string;
  readonly name: string;
  readonly args: readonly string[];
}

/** Applies options to the new shell; what is to be run, or a status when nothing is. */
function readPlan(shell: Shell, args: readonly string[], called: string): Plan | Maybe<number> {
  let [command, input] = [false, false];
  const rest = [...args];
  while (rest.length > 0) {
    const word = rest[0]!;
    if (word === "--" || word === "-") {
      rest.shift();
      break;
    }
    if (word === "--version") return print(shell, called, VERSION);
    if (word === "--help") return print(shell, called, HELP);
    if (IGNORED.has(word)) rest.shift();
    else if (word === "--posix") {
      rest.shift();
      shell.setOption("posix", true);
    } else if (/^[-+]O$/.test(word)) {
      rest.shift();
      void shopt(shell, [word === "-O" ? "-s" : "-u", rest.shift() ?? ""], "shopt");
    } else if (/^[-+]o$/.test(word)) {
      rest.shift();
      void set(shell, [word, rest.shift() ?? ""], "set");
    } else if (/^[-+][A-Za-z]+$/.test(word)) {
      rest.shift();
      command ||= word.startsWith("-") && word.includes("c");
      input ||= word.includes("s");
      const letters = word.slice(1).replace(/[csilr]/g, "");
      if (letters.endsWith("o")) void set(shell, [word.charAt(0) + letters, rest.shift() ?? ""], "set");
      else if (letters !== "") void set(shell, [word.charAt(0) + letters], "set");
    } else if (word.startsWith("--")) {
      void shell.stderr.write(`${called}: ${word}: invalid option\n`);
      return 2;
    } else break;
  }
  if (command) return commandPlan(shell, rest, called);
  if (input || rest.length === 0) return { kind: "input", text: "", name: called, args: rest };
  return { kind: "file", text: rest[0]!, name: rest[0]!, args: rest.slice(1) };
}

function commandPlan(shell: Shell, rest: readonly string[], called: string): Plan | number {
  const [text, name = called, ...args] = rest;
  if (text !== undefined) return { kind: "text", text, name, args };
  void shell.stderr.write(`${called}: -c: option requires an argument\n`);
  return 2;
}

function sourceOf(shell: Shell, { kind, text }: Plan): Maybe<string> {
  if (kind === "text") return text;
  const file = open(shell.context, text, O_RDONLY, 0);
  if (file instanceof OpenDirectory) fail("EISDIR");
  return new Reader(file).text();
}

export const bash: Builtin = (parent, args, called) => {
  const child = spawn(parent, called);
  const level = Number(parent.variables.get("SHLVL") ?? "0");
  child.export("SHLVL", String(level + 1));
  return live(child, () => {
    const plan = readPlan(child, args, called);
    if (typeof plan === "number" || plan instanceof Promise) return plan;
    child.name = plan.name;
    child.positional = plan.args;
    child.source = plan.kind === "text" ? "c" : plan.kind === "input" ? "s" : "";
    if (plan.kind === "text") child.variables.set("BASH_EXECUTION_STRING", plan.text);
    if (plan.kind === "input") return then(startUp(child), () => runInput(child));
    return then(load(child, plan, called), (source) => (typeof source === "number" ? source : runPlan(child, plan, source)));
  });
};

/** A parameter that is not set ends `-c` text with a status of its own. */
function runPlan(child: Shell, { kind }: Plan, source: string): Maybe<number> {
  const failed = (error: unknown): never => {
    throw error instanceof UnsetFault && kind === "text" ? new ShellError(error.message, 127, true) : error;
  };
  try {
    const status = then(startUp(child), () => child.runSource(source));
    return typeof status === "number" ? status : status.catch(failed);
  } catch (error) {
    return failed(error);
  }
}

/** The script that BASH_ENV names runs first, where there is such a file. */
function startUp(child: Shell): Maybe<number> {
  const path = child.options.has("posix") ? undefined : child.variables.get("BASH_ENV");
  return path && exists(child.context, path) ? evaluate(child, [`. "$BASH_ENV"`], "eval") : 0;
}

/** The source, or a status after a message. */
function load(child: Shell, plan: Plan, called: string): Maybe<string | number> {
  try {
    return sourceOf(child, plan);
  } catch (error) {
    void child.stderr.write(`${called}: ${plan.text}: ${describeErrno(error)}\n`);
    return 127;
  }
}
