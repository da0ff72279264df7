/** The operators of `test` and `[[ ]]` that look at files, variables and options. */

import { allowed, R_OK, W_OK, X_OK } from "../../vfs/access";
import { Errno } from "../../vfs/errors";
import { Device, Directory, type Inode, RegularFile, S_IFIFO, S_IFMT, Symlink } from "../../vfs/inode";
import { find } from "../../vfs/walk";
import { isSet } from "../expand/assign";
import type { Maybe } from "../io/maybe";
import { ShellError } from "../run/errors";
import type { Shell } from "../run/shell";

function node(shell: Shell, path: string, follow = true): Inode | undefined {
  if (path === "") return undefined;
  try {
    const found = find(shell.context, path, follow);
    return follow && found instanceof Device && found.behind ? found.behind(shell.context) : found;
  } catch (error) {
    if (error instanceof Errno) return undefined;
    throw error;
  }
}

type FileTest = (shell: Shell, text: string) => Maybe<boolean>;

const ofNode =
  (test: (node: Inode, shell: Shell) => boolean): FileTest =>
  (shell, path) => {
    const found = node(shell, path);
    return found !== undefined && test(found, shell);
  };
const never: FileTest = () => false;
const link: FileTest = (shell, path) => node(shell, path, false) instanceof Symlink;
const may = (want: number): FileTest => ofNode((found, shell) => allowed(shell.context, found, want));

const TESTS: Readonly<Record<string, FileTest>> = {
  "-e": ofNode(() => true),
  "-a": ofNode(() => true),
  "-f": ofNode((found) => found instanceof RegularFile),
  "-d": ofNode((found) => found instanceof Directory),
  "-s": ofNode((found) => found.size > 0),
  "-r": may(R_OK),
  "-w": may(W_OK),
  "-x": may(X_OK),
  "-L": link,
  "-h": link,
  "-b": never,
  "-c": ofNode((found) => found instanceof Device),
  "-p": (shell, path) => ((node(shell, path)?.mode ?? 0) & S_IFMT) === S_IFIFO,
  "-S": never,
  "-u": ofNode((found) => (found.mode & 0o4000) !== 0),
  "-g": ofNode((found) => (found.mode & 0o2000) !== 0),
  "-k": ofNode((found) => (found.mode & 0o1000) !== 0),
  "-O": ofNode((found) => found.uid === 1000),
  "-G": ofNode((found) => found.uid === 1000),
  "-N": ofNode((found) => found.mtime >= found.atime),
  "-t": never,
  "-z": (_shell, text) => text === "",
  "-n": (_shell, text) => text !== "",
  "-v": (shell, name) => isSet(shell, name),
  "-R": (shell, name) => (shell.variables.own(name)?.nameref ?? false) && shell.variables.own(name)!.value !== undefined,
  "-o": (shell, name) => shell.options.has(name),
};

export function isUnaryTest(operator: string): boolean {
  return Object.hasOwn(TESTS, operator);
}

export function fileTest(shell: Shell, operator: string, text: string): Maybe<boolean> {
  return TESTS[operator]!(shell, text);
}

const COMPARISONS: Readonly<Record<string, (left: Inode | undefined, right: Inode | undefined) => boolean>> = {
  "-nt": (left, right) => left !== undefined && (right === undefined || left.mtime > right.mtime),
  "-ot": (left, right) => right !== undefined && (left === undefined || left.mtime < right.mtime),
  "-ef": (left, right) => left !== undefined && left === right,
};

export function isFileComparison(operator: string): boolean {
  return Object.hasOwn(COMPARISONS, operator);
}

export function compareFiles(shell: Shell, operator: string, left: string, right: string): boolean {
  const compare = COMPARISONS[operator];
  if (!compare) throw new ShellError(`${operator}: binary operator expected`, 2);
  return compare(node(shell, left), node(shell, right));
}
