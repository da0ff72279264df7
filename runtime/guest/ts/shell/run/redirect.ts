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
import { compileFields, constantFields } from "../expand/fields";
import { compileHereDocument, compileString } from "../expand/word";
import { describeErrno } from "../io/errors";
import { then, type Maybe } from "../io/maybe";
import type { Redirection } from "../syntax/ast";
import { AssociativeArray, IndexedArray } from "./arrays";
import { RoomFault, ShellError } from "./errors";
import { fatalStatus } from "./life";
import { Saved } from "./saved";
import type { Shell } from "./shell";
import { unguarded } from "./unguarded";

/** Opens; gives what is to be put back, or undefined after a message. */
export interface Redirect {
  (shell: Shell): Maybe<Saved | undefined>;
  /** Whether it gives a standard input. */
  readonly input: boolean;
}

/** Makes one change, and keeps what it changes. */
type Step = (shell: Shell, saved: Saved) => Maybe<void>;

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
  const redirect = (shell: Shell): Maybe<Saved | undefined> => openFrom(shell, steps, 0, new Saved(shell.context.descriptors));
  return Object.assign(redirect, { input });
}

/** Takes the steps from that one on. */
function openFrom(shell: Shell, steps: readonly Step[], from: number, saved: Saved): Maybe<Saved | undefined> {
  try {
    for (let at = from; at < steps.length; at += 1) {
      const done = steps[at]!(shell, saved);
      if (done === undefined) continue;
      return (done as Promise<void>).then(
        () => openFrom(shell, steps, at + 1, saved),
        (error: unknown) => failed(shell, saved, error),
      );
    }
    return saved;
  } catch (error) {
    return failed(shell, saved, error);
  }
}

/** A file that cannot be opened: told of, and the command does not run. What its name cannot be expanded to is the line's. */
class RedirectFault extends ShellError {}

function failed(shell: Shell, saved: Saved, error: unknown): undefined {
  const mine = error instanceof RedirectFault || (error instanceof RoomFault && !error.fatal);
  // Where stderr was redirected already, the message goes there.
  if (mine) shell.warn(error.message);
  saved.restore();
  if (!mine) throw error;
  return undefined;
}

/** As `redirect` does, in a process of its own: that alone ends where a redirection cannot be expanded. */
export function redirectChild(shell: Shell, redirect: Redirect): Maybe<Saved | undefined> {
  const ended = (error: unknown): undefined => {
    if (!(error instanceof ShellError)) throw error;
    fatalStatus(shell, error);
  };
  try {
    const opened = redirect(shell);
    return opened instanceof Promise ? opened.catch(ended) : opened;
  } catch (error) {
    return ended(error);
  }
}

function compileStep(redirection: Redirection): Step {
  const { operator } = redirection;
  if (operator === "<<" || operator === "<<<") return document(redirection);
  if (operator === "<&" || operator === ">&") return duplicate(redirection);
  return toFile(redirection);
}

function toFile({ operator, descriptor, target }: Redirection): Step {
  const to = descriptor ?? DEFAULTS[operator];
  const both = operator === "&>" || operator === "&>>";
  const put = (shell: Shell, saved: Saved, file: OpenFile): void => {
    place(shell, saved, to, file);
    if (both) place(shell, saved, 2, file);
  };
  const act = (shell: Shell, saved: Saved, names: readonly string[]): Maybe<void> => {
    if (names.length !== 1) throw new RedirectFault(`${target.source}: ambiguous redirect`);
    const file = openFile(shell, names[0]!, operator);
    const met = file.meet();
    return met === undefined ? put(shell, saved, file) : met.then(() => put(shell, saved, file));
  };
  const constant = constantFields([target]);
  if (constant) return (shell, saved) => act(shell, saved, constant);
  const expand = unguarded([target], compileFields([target]));
  const asText = compileString(target);
  return (shell, saved) => {
    // In POSIX mode the name is neither split nor a pattern.
    if (shell.options.has("posix")) return then(asText(shell), (name) => act(shell, saved, [name]));
    const names: string[] = [];
    const expanded = expand(shell, names);
    return expanded instanceof Promise ? expanded.then(() => act(shell, saved, names)) : act(shell, saved, names);
  };
}

function openFile(shell: Shell, path: string, operator: Redirection["operator"]): OpenFile {
  let flags = FLAGS[operator]!;
  if ((operator === ">" || operator === "&>") && shell.options.has("noclobber")) {
    if (isRegular(shell, path)) throw new RedirectFault(`${path}: cannot overwrite existing file`);
    if (!exists(shell.context, path)) flags |= O_EXCL;
  }
  try {
    return open(shell.context, path, flags, 0o666);
  } catch (error) {
    throw new RedirectFault(`${path}: ${describeErrno(error)}`);
  }
}

function isRegular(shell: Shell, path: string): boolean {
  return exists(shell.context, path) && (stat(shell.context, path, true).mode & S_IFMT) === S_IFREG;
}

function document({ operator, descriptor, target }: Redirection): Step {
  const expand = unguarded([target], operator === "<<" ? compileHereDocument(target) : compileString(target));
  const end = operator === "<<" ? "" : "\n";
  const act = (shell: Shell, saved: Saved, text: string): void => place(shell, saved, descriptor ?? 0, fileOf(shell, text + end));
  return (shell, saved) => {
    const text = expand(shell);
    return text instanceof Promise ? text.then((value) => act(shell, saved, value)) : act(shell, saved, text);
  };
}

/** A pipe that holds the text, as bash has it, or a file without a name for what is longer. */
function fileOf({ context }: Shell, text: string): OpenFile {
  const bytes = native.text.encode(text);
  try {
    return filledPipe(bytes) ?? new OpenRegular(context.volume, context.volume.unnamed(bytes), O_RDONLY);
  } catch (error) {
    throw new RedirectFault(`cannot create temp file for here-document: ${describeErrno(error)}`);
  }
}

/** `N>&M`, `N>&M-`, `N>&-`; `>&word` with a word that is no number is `&>word`. */
function duplicate({ operator, descriptor, target }: Redirection): Step {
  const to = descriptor ?? DEFAULTS[operator];
  const act = (shell: Shell, saved: Saved, word: string, [from, move]: Duplicated): void => {
    if (from === undefined) return move ? closing(shell, saved, to) : toBoth(shell, saved, operator, descriptor, word, target.source);
    const file = shell.context.descriptors.find(from);
    if (file === undefined) throw new RedirectFault(`${target.source}: Bad file descriptor`);
    place(shell, saved, to, file);
    if (move && from !== to) closing(shell, saved, from);
  };
  const [constant] = constantFields([target]) ?? [];
  if (constant !== undefined) {
    const read = duplicated(constant);
    return (shell, saved) => act(shell, saved, constant, read);
  }
  const expand = unguarded([target], compileFields([target]));
  const actOn = (shell: Shell, saved: Saved, words: readonly string[]): void => {
    if (words.length !== 1) throw new RedirectFault(`${target.source}: ambiguous redirect`);
    act(shell, saved, words[0]!, duplicated(words[0]!));
  };
  return (shell, saved) => {
    const words: string[] = [];
    const expanded = expand(shell, words);
    return expanded instanceof Promise ? expanded.then(() => actOn(shell, saved, words)) : actOn(shell, saved, words);
  };
}

/** The number that is duplicated, and whether it (or, without one, the target) is to be closed. */
type Duplicated = readonly [from: number | undefined, move: boolean];

function duplicated(word: string): Duplicated {
  const [, digits, move] = /^(\d+)?(-)?$/.exec(word) ?? [];
  return [digits === undefined ? undefined : Number(digits), move !== undefined];
}

function toBoth(shell: Shell, saved: Saved, operator: string, descriptor: Redirection["descriptor"], path: string, source: string): void {
  if (operator !== ">&" || descriptor !== undefined || path === "") throw new RedirectFault(`${source}: ambiguous redirect`);
  const file = openFile(shell, path, "&>");
  place(shell, saved, 1, file);
  place(shell, saved, 2, file);
}

/** Gives the file that number, or, for `{name}`, one that the variable then holds and that stays open. */
function place(shell: Shell, saved: Saved, to: NonNullable<Redirection["descriptor"]>, file: OpenFile): void {
  const { descriptors } = shell.context;
  if (typeof to === "number") {
    saved.keep(to);
    descriptors.set(to, file);
    return;
  }
  const number = opening(to.variable, () => descriptors.add(file, CHOSEN));
  try {
    void assignReference(shell, to.variable, String(number));
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    shell.tell(error);
    throw new RedirectFault(`${to.variable}: cannot assign fd to variable`);
  }
}

/** What takes a descriptor of the shell, and fails as a redirection does where there is none left. */
export function opening<T>(what: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof Errno) throw new RedirectFault(`${what}: ${describeErrno(error)}`);
    throw error;
  }
}

function closing(shell: Shell, saved: Saved, to: NonNullable<Redirection["descriptor"]>): void {
  const { descriptors } = shell.context;
  const number = typeof to === "number" ? to : Number(referenced(shell, to.variable));
  if (!descriptors.has(number)) return;
  if (typeof to === "number") saved.keep(number);
  descriptors.close(number);
}

/** The value of a variable or an element with a plain index. */
function referenced(shell: Shell, name: string): string | undefined {
  const [, array, index] = /^(\w+)\[([^]*)\]$/.exec(name) ?? [];
  if (array === undefined) return shell.variables.get(name);
  const value = shell.variables.find(array)?.value;
  return value instanceof IndexedArray ? value.get(Number(index)) : value instanceof AssociativeArray ? value.get(index!) : undefined;
}
