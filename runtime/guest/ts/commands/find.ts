import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { find as findNode } from "../vfs/walk";
import { command, Failure } from "./command";
import { readText } from "./files";
import { finish, Quit } from "./find_actions";
import { beginsExpression, Parser } from "./find_parse";
import { type Check, FindState, type Found } from "./find_state";
import { momentOfMs } from "./moments";
import { baseName } from "./paths";
import { quoted } from "./sizes";
import { asIs, following, type Resolve, type Visit, visits } from "./visits";

const FOLLOW: Readonly<Record<string, FindState["follow"]>> = { "-P": "never", "-H": "operands", "-L": "always" };

/** Takes the options in front of the starting points, and returns what is left. */
function leading(state: FindState, args: readonly string[]): readonly string[] {
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at]!;
    if (word === "--") return args.slice(at + 1);
    if (Object.hasOwn(FOLLOW, word)) state.follow = FOLLOW[word]!;
    else if (word === "-D") at += 1;
    else if (!/^-O\d*$/.test(word)) break;
  }
  return args.slice(at);
}

function resolver({ process, follow }: FindState): Resolve {
  const resolve = following(process.context);
  if (follow === "never") return asIs;
  return follow === "always" ? resolve : (path, node, depth) => (depth === 0 ? resolve(path, node, depth) : node);
}

async function search(state: FindState, check: Check, start: string): Promise<void> {
  const { context, stdout } = state.process;
  const node = state.attempts.try(() => quoted(start), () => findNode(context, start, false));
  if (node === undefined) return;
  const wanted = state.depthFirst ? "leave" : "enter";
  for (const visit of visits(context, start, node, resolver(state))) {
    if (visit.stage === "enter" && visit.depth >= state.most) visit.skip = true;
    if (visit.stage === "unreadable") tellUnreadable(state, visit);
    else if ((visit.stage === "file" || visit.stage === wanted) && visit.depth >= state.least) {
      const found: Found = { path: visit.path, name: baseName(visit.path), node: visit.node, depth: visit.depth, start };
      const done = check(found);
      if (done instanceof Promise) await done;
      if (found.skip) visit.skip = true;
      if (stdout.file.full) await stdout.flush();
    }
  }
}

function tellUnreadable(state: FindState, { path, error }: Visit): void {
  if (error!.code === "ELOOP") state.attempts.fail(`File system loop detected; ${quoted(path)} is part of the same file system loop as a directory above it.`);
  else state.attempts.fail(`${quoted(path)}: ${describeErrno(error)}`);
}

async function startsOf(state: FindState, operands: readonly string[]): Promise<readonly string[]> {
  if (state.startList === undefined) return operands.length > 0 ? operands : ["."];
  if (operands.length > 0) throw new Failure(`extra operand ${quoted(operands[0]!)}\nfile operands cannot be combined with -files0-from`);
  try {
    return (await readText(state.process, state.startList)).split("\0").filter((name) => name !== "");
  } catch (error) {
    if (error instanceof Errno) throw new Failure(`cannot open ${quoted(state.startList)} for reading: ${describeErrno(error)}`);
    throw error;
  }
}

async function run(process: Process, args: readonly string[]): Promise<number> {
  const state = new FindState(process, momentOfMs(native.clock.now()));
  const rest = leading(state, args);
  const expression = rest.findIndex(beginsExpression);
  const [operands, words] = expression < 0 ? [rest, []] : [rest.slice(0, expression), rest.slice(expression)];
  const check = new Parser(state, words).parse();
  try {
    for (const start of await startsOf(state, operands)) await search(state, check, start);
  } catch (error) {
    if (!(error instanceof Quit)) throw error;
  }
  await finish(state);
  await state.closeWriters();
  return state.attempts.status;
}

const INSTEAD: Readonly<Record<string, string>> = { "-help": "--help", "--help": "--help", "-version": "--version", "--version": "--version" };

export const find = command({
  name: "find",
  usage: "[-H] [-L] [-P] [STARTING-POINT...] [EXPRESSION]",
  about: `Look through directories and evaluate EXPRESSION for each file.

Operators: ( EXPR )  ! EXPR  EXPR -a EXPR  EXPR -o EXPR  EXPR , EXPR
Options: -depth -files0-from -maxdepth -mindepth -daystart -follow -regextype -xdev
Tests: -amin -anewer -atime -cmin -cnewer -ctime -empty -executable -false -gid -group -ilname -iname -inum -ipath -iregex
  -links -lname -mmin -mtime -name -newer -newerXY -path -perm -readable -regex -samefile -size -true -type -uid -used
  -user -writable -xtype
Actions: -delete -exec -execdir -fls -fprint -fprint0 -fprintf -ls -ok -okdir -print -print0 -printf -prune -quit`,
  options: {},
  // What find has in place of options is its own affair.
  rewrite(args) {
    const asking = args.find((word) => Object.hasOwn(INSTEAD, word));
    return asking === undefined ? ["--", ...args] : [INSTEAD[asking]!];
  },
  run: (process, _options, operands) => run(process, operands),
});
