/** From a command's tree to its code, by kind. */

import type { Maybe } from "../io/maybe";
import type { Command, Subshell } from "../syntax/ast";
import { compileArithmeticFor } from "./arithmetic_for";
import { attending } from "./attention";
import { compileCase } from "./case";
import type { Code } from "./code";
import { compileIf, compileWhile } from "./conditions";
import { compileCoprocess } from "./coprocess";
import { SPECIAL } from "./dispatch";
import { ShellError } from "./errors";
import { exportAgain } from "./exported_functions";
import { compileFor } from "./for";
import { live } from "./life";
import { compileList } from "./list";
import { compileRedirections, redirectChild } from "./redirect";
import { concluded, failed } from "./results";
import type { Saved } from "./saved";
import { compileSelect } from "./select";
import type { Shell } from "./shell";
import { compileSimple } from "./simple";
import { compileArithmeticCommand, compileConditional } from "./tests";
import { undoing } from "./undoing";

type Kind = Command["kind"];
type Of<K extends Kind> = Extract<Command, { kind: K }>;

/** Kinds that the DEBUG trap sees as commands; it sees the turns of `for` itself. */
const SEEN: ReadonlySet<Kind> = new Set<Kind>(["case", "select", "arithmetic", "conditional"]);

const COMPILERS: { [K in Kind]: (command: Of<K>) => Code } = {
  simple: compileSimple,
  subshell: (node) => subshell(node, compileList(node.body)),
  group: ({ body }) => compileList(body),
  if: compileIf,
  while: compileWhile,
  for: compileFor,
  "arithmetic for": compileArithmeticFor,
  select: compileSelect,
  case: compileCase,
  arithmetic: compileArithmeticCommand,
  conditional: compileConditional,
  function: ({ name, body, position }) => {
    const code = compileCommand(body);
    return (shell) => {
      if (!/^[^$\s"'\\`]+$/.test(name)) {
        shell.line = position.line;
        shell.warn(`\`${name}': not a valid identifier`);
        return failed(shell, 1);
      }
      if (SPECIAL.has(name) && shell.options.has("posix")) throw new ShellError(`\`${name}': is a special builtin`, 2, true);
      if (shell.defineFunction(name, { body, code, line: position.line, source: shell.origin })) {
        exportAgain(shell, name, body);
        return 0;
      }
      shell.line = position.line;
      shell.warn(`${name}: readonly function`);
      return failed(shell, 1);
    };
  },
  coprocess: (node) => compileCoprocess(node, compileCommand),
};

export function compileCommand(command: Command): Code {
  const plain = (COMPILERS[command.kind] as (command: Command) => Code)(command);
  const code = SEEN.has(command.kind) ? attending(command, plain) : plain;
  if (command.kind === "simple" || command.redirections.length === 0) return code;
  const redirected = redirect(command, code);
  return command.kind === "function" ? code : redirected;
}

/** The code of a command that has a process of its own already: a subshell needs no other. */
export function compileChild(command: Command): Code {
  return compileCommand(command.kind === "subshell" ? { ...command, kind: "group" } : command);
}

function redirect({ kind, redirections, position }: Command, code: Code): Code {
  const compiled = compileRedirections(redirections);
  const apart = (shell: Shell): Maybe<Saved | undefined> => {
    shell.line = position.line;
    return redirectChild(shell, compiled);
  };
  const open = kind === "subshell" ? apart : compiled;
  return (shell) => {
    const opened = open(shell);
    return opened instanceof Promise ? opened.then((saved) => within(shell, code, saved)) : within(shell, code, opened);
  };
}

/** Runs with redirections in place; without them (a message was printed) the command fails. */
function within(shell: Shell, code: Code, saved: Saved | undefined): Maybe<number> {
  if (!saved) return concluded(shell, 1);
  return undoing(() => code(shell), () => saved.restore(), shell);
}

function subshell(node: Subshell, body: Code): Code {
  return (shell) => {
    const conclude = (status: number): Maybe<number> => {
      shell.running = node;
      shell.line = node.position.line;
      shell.pipeStatus = status;
      return concluded(shell, status);
    };
    const child = shell.fork();
    child.forgetJobs();
    child.beforeTrap = undefined;
    const status = live(child, body);
    return typeof status === "number" ? conclude(status) : status.then(conclude);
  };
}
