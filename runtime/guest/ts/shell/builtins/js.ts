/** js: runs JavaScript on the same files. */

import { runEmbedded } from "../../bridge/embedded";
import { native } from "../../bridge/native";
import { O_RDONLY } from "../../vfs/flags";
import { open } from "../../vfs/open";
import { describeErrno } from "../io/errors";
import { then, type Maybe } from "../io/maybe";
import type { Shell } from "../run/shell";
import { type Builtin, print } from "./builtin";

const USAGE = `Usage: js [FILE [ARG]... | -e CODE [ARG]... | -]
Runs JavaScript or TypeScript in the sandbox: a file, the code given with -e (-p also prints its value), or standard input.
process.argv holds the arguments, process.env the exported variables; tools are functions, as in every script.
`;

interface Plan {
  readonly source: string;
  readonly filename: string;
  readonly args: readonly string[];
}

export const js: Builtin = (shell, args, name) => {
  const [first, ...rest] = args;
  if (first === "--help") return print(shell, name, USAGE);
  if (first === "-e" || first === "--eval" || first === "-p" || first === "--print") {
    const [code, ...others] = rest;
    if (code === undefined) return wrong(shell, `${first} needs code`);
    const source = first === "-p" || first === "--print" ? `console.log(${code}\n)` : code;
    return run(shell, { source, filename: "[eval]", args: others[0] === "--" ? others.slice(1) : others });
  }
  if (first === undefined || first === "-") {
    return then(shell.stdin.text(), (source) => run(shell, { source, filename: "[stdin]", args: rest }));
  }
  if (first.startsWith("-") && first !== "--") return wrong(shell, `${first}: unknown option`);
  const [path, ...others] = first === "--" ? rest : args;
  return path === undefined ? wrong(shell, "no file") : runFile(shell, path, others);
};

function wrong(shell: Shell, message: string): number {
  void shell.stderr.write(`js: ${message}\n${USAGE}`);
  return 2;
}

function runFile(shell: Shell, path: string, args: readonly string[]): Maybe<number> {
  let source: string;
  try {
    source = native.text.decode(open(shell.context, path, O_RDONLY, 0).readAll());
  } catch (error) {
    void shell.stderr.write(`js: ${path}: ${describeErrno(error)}\n`);
    return 1;
  }
  return run(shell, { source: source.replace(/^#![^\n]*/, ""), filename: path, args });
}

function run(shell: Shell, { source, filename, args }: Plan): Promise<number> {
  const env = Object.fromEntries(shell.variables.exported);
  return runEmbedded({ source, filename, args, env, context: shell.context });
}
