/** Redirections: changes to the descriptor table, and their undoing. */

import { native } from "../../bridge/native";
import { Errno } from "../../vfs/errors";
import { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } from "../../vfs/flags";
import { exists, stat } from "../../vfs/meta";
import { open } from "../../vfs/open";
import type { OpenFile } from "../../vfs/openfile";
import { S_IFMT, S_IFREG } from "../../vfs/inode";
import { filledPipe } from "../../vfs/pipe";
import { OpenRegular } from "../../vfs/openfile";
import { assignReference } from "../expand/assign";
import { compileFields } from "../expand/fields";
import { compileHereDocument, compileString } from "../expand/word";
import { describeErrno } from "../io/errors";
import type { Maybe } from "../io/maybe";
import type { Redirection } from "../syntax/ast";
import { AssociativeArray, IndexedArray } from "./arrays";
import { ShellError } from "./errors";
import type { Shell } from "./shell";

/** Puts back what was before, or, where the changes are to stay, lets go of it. */
export type Undo = (stays?: boolean) => void;
/** Opens; gives the function that undoes it, or undefined after a message. */
export interface Redirect {
  (shell: Shell): Maybe<Undo | undefined>;
  /** Whether it gives a standard input. */
  readonly input: boolean;
}

/** Makes one change and pushes its undoing. */
type Step = (shell: Shell, undo: Undo[]) => Maybe<void>;

const DEFAULTS: Readonly<Record<Redirection["operator"], number>> = {
  "<": 0, "<>": 0, "<&": 0, "<<<": 0, "<<": 0, ">": 1, ">>": 1, ">|": 1, ">&": 1, "&>": 1, "&>>": 1,
};

const WRITE = O_WRONLY | O_CREAT;
const FLAGS: Partial<Record<Redirection["operator"], number>> = {
  "<": O_RDONLY,
  "<>": O_RDWR | O_CREAT,
  ">": WRITE | O_TRUNC,
  ">|": WRITE | O_TRUNC,
  ">>": WRITE | O_APPEND,
  "&>": WRITE | O_TRUNC,
  "&>>": WRITE | O_APPEND,
};

/** Descriptors that `{name}>` chooses start here. */
const CHOSEN = 10;

export function compileRedirections(redirections: readonly Redirection[]): Redirect {
  const steps = redirections.map(compileStep);
  const input = redirections.some(({ operator, descriptor }) => (descriptor ?? DEFAULTS[operator]) === 0);
  const redirect = (shell: Shell): Maybe<Undo | undefined> => {
    const undo: Undo[] = [];
    const undoAll: Undo = (stays) => {
      while (undo.length > 0) undo.pop()!(stays);
    };
    const failed = (error: unknown): undefined => {
      const mine = error instanceof ShellError && !error.fatal;
      // Where stderr was redirected already, the message goes there.
      if (mine) shell.warn(error.message);
      undoAll();
      if (!mine) throw error;
      return undefined;
    };
    const from = (index: number): Maybe<Undo | undefined> => {
      for (let at = index; at < steps.length; at += 1) {
        const done = steps[at]!(shell, undo);
        if (done instanceof Promise) return done.then(() => from(at + 1)).catch(failed);
      }
      return undoAll;
    };
    try {
      return from(0);
    } catch (error) {
      return failed(error);
    }
  };
  return Object.assign(redirect, { input });
}

function compileStep(redirection: Redirection): Step {
  const { operator } = redirection;
  if (operator === "<<" || operator === "<<<") return document(redirection);
  if (operator === "<&" || operator === ">&") return duplicate(redirection);
  return toFile(redirection);
}

function toFile({ operator, descriptor, target }: Redirection): Step {
  const expand = compileFields([target]);
  const both = operator === "&>" || operator === "&>>";
  const act = (shell: Shell, undo: Undo[], names: readonly string[]): void => {
    if (names.length !== 1) throw new ShellError(`${target.source}: ambiguous redirect`);
    const file = openFile(shell, names[0]!, operator);
    place(shell, undo, descriptor ?? DEFAULTS[operator], file);
    if (both) place(shell, undo, 2, file);
  };
  return (shell, undo) => {
    const names: string[] = [];
    const expanded = expand(shell, names);
    return expanded instanceof Promise ? expanded.then(() => act(shell, undo, names)) : act(shell, undo, names);
  };
}

function openFile(shell: Shell, path: string, operator: Redirection["operator"]): OpenFile {
  let flags = FLAGS[operator]!;
  if (operator === ">" && shell.options.has("noclobber") && isRegular(shell, path)) {
    throw new ShellError(`${path}: cannot overwrite existing file`);
  }
  if (operator === ">" && shell.options.has("noclobber") && !exists(shell.context, path)) flags |= O_EXCL;
  try {
    return open(shell.context, path, flags, 0o666);
  } catch (error) {
    throw new ShellError(`${path}: ${describeErrno(error)}`);
  }
}

function isRegular(shell: Shell, path: string): boolean {
  return exists(shell.context, path) && (stat(shell.context, path, true).mode & S_IFMT) === S_IFREG;
}

function document({ operator, descriptor, target }: Redirection): Step {
  const expand = operator === "<<" ? compileHereDocument(target) : compileString(target);
  const end = operator === "<<" ? "" : "\n";
  const act = (shell: Shell, undo: Undo[], text: string): void => place(shell, undo, descriptor ?? 0, fileOf(shell, text + end));
  return (shell, undo) => {
    const text = expand(shell);
    return text instanceof Promise ? text.then((value) => act(shell, undo, value)) : act(shell, undo, text);
  };
}

/** A pipe that holds the text, as bash has it, or a file without a name for what is longer. */
function fileOf({ context }: Shell, text: string): OpenFile {
  const bytes = native.text.encode(text);
  try {
    return filledPipe(bytes) ?? new OpenRegular(context.volume, context.volume.unnamed(bytes), O_RDONLY);
  } catch (error) {
    throw new ShellError(`cannot create temp file for here-document: ${describeErrno(error)}`);
  }
}

/** `N>&M`, `N>&M-`, `N>&-`; `>&word` with a word that is no number is `&>word`. */
function duplicate({ operator, descriptor, target }: Redirection): Step {
  const expand = compileString(target);
  const act = (shell: Shell, undo: Undo[], word: string): void => {
    const to = descriptor ?? DEFAULTS[operator];
    const [, digits, move] = /^(\d+)?(-)?$/.exec(word) ?? [];
    if (digits === undefined && move === undefined) return toBoth(shell, undo, operator, descriptor, word, target.source);
    if (digits === undefined) return closing(shell, undo, to);
    const from = Number(digits);
    if (!shell.context.descriptors.has(from)) throw new ShellError(`${target.source}: Bad file descriptor`);
    place(shell, undo, to, shell.context.descriptors.get(from));
    if (move && from !== to) closing(shell, undo, from);
  };
  return (shell, undo) => {
    const word = expand(shell);
    return word instanceof Promise ? word.then((value) => act(shell, undo, value)) : act(shell, undo, word);
  };
}

function toBoth(shell: Shell, undo: Undo[], operator: string, descriptor: Redirection["descriptor"], path: string, source: string): void {
  if (operator !== ">&" || descriptor !== undefined || path === "") throw new ShellError(`${source}: ambiguous redirect`);
  const file = openFile(shell, path, "&>");
  place(shell, undo, 1, file);
  place(shell, undo, 2, file);
}

/** Gives the file that number, or, for `{name}`, one that the variable then holds and that stays open. */
function place(shell: Shell, undo: Undo[], to: NonNullable<Redirection["descriptor"]>, file: OpenFile): void {
  const { descriptors } = shell.context;
  if (typeof to !== "number") {
    const number = opening(to.variable, () => descriptors.add(file, CHOSEN));
    void assignReference(shell, to.variable, String(number));
    return;
  }
  undo.push(keep(shell, to));
  opening(String(to), () => descriptors.set(to, file));
}

/** What takes a descriptor of the shell, and fails as a redirection does where there is none left. */
export function opening<T>(what: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof Errno) throw new ShellError(`${what}: ${describeErrno(error)}`);
    throw error;
  }
}

function closing(shell: Shell, undo: Undo[], to: NonNullable<Redirection["descriptor"]>): void {
  const { descriptors } = shell.context;
  const number = typeof to === "number" ? to : Number(referenced(shell, to.variable));
  if (!descriptors.has(number)) return;
  if (typeof to === "number") undo.push(keep(shell, number));
  descriptors.close(number);
}

/** The value of a variable or an element with a plain index. */
function referenced(shell: Shell, name: string): string | undefined {
  const [, array, index] = /^(\w+)\[([^]*)\]$/.exec(name) ?? [];
  if (array === undefined) return shell.variables.get(name);
  const value = shell.variables.find(array)?.value;
  return value instanceof IndexedArray ? value.get(Number(index)) : value instanceof AssociativeArray ? value.get(index!) : undefined;
}

/** Holds what the number stands for now; the function returned puts it back. */
function keep({ context: { descriptors } }: Shell, number: number): Undo {
  if (!descriptors.has(number)) {
    return (stays) => {
      if (!stays && descriptors.has(number)) descriptors.close(number);
    };
  }
  const file = descriptors.get(number);
  file.references += 1;
  return (stays) => {
    if (!stays) descriptors.set(number, file);
    file.references -= 1;
    if (file.references === 0) file.close();
  };
}
