/** The actions of find. */

import { describeErrno } from "../shell/io/errors";
import { each, then, type Maybe } from "../shell/io/maybe";
import type { Writer } from "../shell/io/writer";
import { Directory } from "../vfs/inode";
import * as tree from "../vfs/tree";
import { Failure } from "./command";
import { compileFormat, listLine } from "./find_format";
import type { Check, FindState, Found } from "./find_state";
import { baseName, dirName, joined } from "./paths";
import { refusal } from "./programs";
import { quoted } from "./sizes";

/** Characters of arguments that a command is started with at most, and how many arguments. */
const ARGUMENTS_MOST = 128 * 1024;
const COUNT_MOST = 8192;
const MISSING = 127;

export const printing =
  (text: (found: Found) => string, writer: (state: FindState) => Writer) =>
  (state: FindState): Check => {
    const target = writer(state);
    return (found) => {
      target.print(text(found));
      return true;
    };
  };

const line = ({ path }: Found): string => `${path}\n`;
const zero = ({ path }: Found): string => `${path}\0`;
const stdout = (state: FindState): Writer => state.process.stdout;

export const print = printing(line, stdout);

/** Thrown by `-quit`: nothing further is looked at. */
export class Quit {}

/** Actions without arguments. */
export const BARE_ACTIONS: Readonly<Record<string, (state: FindState) => Check>> = {
  "-print": print,
  "-print0": printing(zero, stdout),
  "-ls": (state) => printing((found) => listLine(state, found), stdout)(state),
  "-delete": (state) => {
    state.depthFirst = true;
    return (found) => deleted(state, found);
  },
};

function opened(state: FindState, path: string): Writer {
  try {
    return state.writer(path);
  } catch (error) {
    throw new Failure(`${quoted(path)}: ${describeErrno(error)}`);
  }
}

/** Actions with one argument, or two. */
export const ACTIONS: Readonly<Record<string, { readonly count: number; readonly make: (state: FindState, args: readonly string[]) => Check }>> = {
  "-printf": { count: 1, make: (state, [format]) => printing(compileFormat(state, format!), stdout)(state) },
  "-fprint": { count: 1, make: (state, [path]) => printing(line, () => opened(state, path!))(state) },
  "-fprint0": { count: 1, make: (state, [path]) => printing(zero, () => opened(state, path!))(state) },
  "-fls": { count: 1, make: (state, [path]) => printing((found) => listLine(state, found), () => opened(state, path!))(state) },
  "-fprintf": { count: 2, make: (state, [path, format]) => printing(compileFormat(state, format!), () => opened(state, path!))(state) },
};

function deleted(state: FindState, { path, node }: Found): boolean {
  if (path === ".") return true;
  const { context } = state.process;
  return state.attempts.done(() => `cannot delete ${quoted(path)}`, () => (node instanceof Directory ? tree.rmdir(context, path) : tree.unlink(context, path)));
}

/** How -execdir names a file, and where it runs. */
function placeOf(found: Found, inFolder: boolean): { name: string; cwd: string | undefined } {
  if (!inFolder) return { name: found.path, cwd: undefined };
  const base = baseName(found.path);
  return { name: base === "/" ? base : `./${base}`, cwd: dirName(found.path) };
}

function run(state: FindState, argv: readonly string[], cwd: string | undefined): Maybe<number> {
  const { process } = state;
  const absolute = cwd === undefined ? undefined : tree.realpath(process.context, cwd.startsWith("/") ? cwd : joined(process.context.cwd, cwd));
  if (refusal(process, argv[0]!)) return MISSING;
  return then(process.stdout.flush(), () => process.launch(argv, absolute === undefined ? {} : { cwd: absolute }));
}

/** `-exec command {} ;`: true where the command succeeds. `ask`: whether to run it is asked first. */
export function execEach(state: FindState, command: readonly string[], inFolder: boolean, ask?: (argv: readonly string[], path: string) => Maybe<boolean>): Check {
  return (found) => {
    const { name, cwd } = placeOf(found, inFolder);
    const argv = command.map((word) => word.replaceAll("{}", () => name));
    return then(ask?.(command, found.path) ?? true, (yes) => yes && then(run(state, argv, cwd), (status) => status === 0));
  };
}

/** `-exec command {} +`: gathers names and runs the command on many at once. */
export function execMany(state: FindState, command: readonly string[], inFolder: boolean): Check {
  const fixed = command.slice(0, -1);
  let names: string[] = [];
  let length = 0;
  let folder: string | undefined;
  const flush = (): Maybe<void> => {
    if (names.length === 0) return;
    const argv = [...fixed, ...names];
    names = [];
    length = 0;
    return then(run(state, argv, folder), (status) => {
      if (status !== 0) state.attempts.status = 1;
    });
  };
  state.finishes.push(flush);
  return (found) => {
    const { name, cwd } = placeOf(found, inFolder);
    const full = names.length >= COUNT_MOST || length + name.length > ARGUMENTS_MOST || cwd !== folder;
    return then(full ? flush() : undefined, () => {
      folder = cwd;
      names.push(name);
      length += name.length + 1;
      return true;
    });
  };
}

export function finish(state: FindState): Maybe<void> {
  return each(state.finishes, (work) => work());
}
