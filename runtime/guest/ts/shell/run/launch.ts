/** Commands that are no part of the shell: found by name, run as processes. */

import { native } from "../../bridge/native";
import { close } from "../../commands/files";
import { commands } from "../../commands/table";
import { allowed, X_OK } from "../../vfs/access";
import { Errno } from "../../vfs/errors";
import { Directory, RegularFile } from "../../vfs/inode";
import { find } from "../../vfs/walk";
import { ClosedFile } from "../../vfs/closed";
import { vfs } from "../../vfs/vfs";
import type { OpenFile } from "../../vfs/openfile";
import { externals } from "../builtins/table";
import { describeErrno } from "../io/errors";
import { finally_, then, type Maybe } from "../io/maybe";
import { readerOf } from "../io/own_output";
import type { Reader } from "../io/reader";
import { Killed, SIGPIPE } from "../io/signals";
import { Writer } from "../io/writer";
import type { Command, Launch, Process } from "../process";
import { spawn } from "./birth";
import { callFunction } from "./functions";
import { live } from "./life";
import { missing } from "./missing";
import { pause } from "./pause";
import { runScript } from "./script";
import type { Shell } from "./shell";

const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
const KILL = 9;
const HANDLER = "command_not_found_handle";
const BINARIES = ["/bin", "/usr/bin", "/usr/local/bin"];

/** Where a command's name leads. */
export type Found =
  | { readonly kind: "command"; readonly name: string; readonly path: string }
  | { readonly kind: "file"; readonly path: string; readonly file: RegularFile }
  | Refused;
interface Refused {
  readonly kind: "refused";
  readonly status: number;
  readonly message: string;
}

/**
 * Runs a command in the shell's own descriptors and waits for its end; `builtin` is which of them asks for it, `called` the
 * name that the command is to see as its own.
 */
export function runCommand(shell: Shell, words: readonly string[], { builtin, called }: { builtin?: string; called?: string } = {}): Maybe<number> {
  native.host.poll();
  const name = words[0]!;
  const found = lookUp(shell, name);
  if (found.kind === "refused") return refused(shell, words, found, builtin);
  if (found.kind === "file") return runScript(shell, found, words.slice(1));
  return runKnown(shell, found.name, called === undefined ? words : [called, ...words.slice(1)]);
}

/** A script may have a function of its own for names that lead nowhere. */
function refused(shell: Shell, words: readonly string[], { status, message }: Refused, builtin: string | undefined): Maybe<number> {
  const handler = status === NOT_FOUND && !words[0]!.includes("/") ? shell.functions.get(HANDLER) : undefined;
  if (handler && builtin === undefined) return live(shell.fork(), (child) => callFunction(child, HANDLER, handler, words, shell.line));
  // Of a path, builtins say what the shell says.
  shell.warn(builtin === undefined || !message.endsWith("command not found") ? message : `${builtin}: ${words[0]}: not found`);
  return status;
}

/** The command is a process, though it runs in the shell's: where nobody reads what it writes, it ends, not the shell. */
function surviving(shell: Shell, work: () => Maybe<number>): Maybe<number> {
  const ended = (error: unknown): number => {
    if (error instanceof Killed && error.signal === SIGPIPE && !shell.signals.killed) return error.status;
    throw error;
  };
  try {
    const status = work();
    return typeof status === "number" ? status : status.catch(ended);
  } catch (error) {
    return ended(error);
  }
}

function runKnown(shell: Shell, name: string, words: readonly string[]): Maybe<number> {
  const known = commands.get(name);
  if (known) return surviving(shell, () => shell.signals.killable(() => inProcess(new ShellProcess(shell, words), known)));
  const builtin = externals.get(name)!;
  return live(shell.fork(), (child) => {
    child.signals.standForCommand();
    return builtin(child, words.slice(1), words[0]!);
  });
}

function inProcess(process: ShellProcess, command: Command): Maybe<number> {
  return finally_(() => command(process), () => process.release());
}

export function lookUp(shell: Shell, name: string): Found {
  if (name.includes("/")) return atPath(shell, name);
  const hashed = shell.hashed.size > 0 ? hashedPath(shell, name) : undefined;
  if (hashed !== undefined) return atPath(shell, hashed);
  for (const folder of foldersOf(shell.variables.get("PATH") ?? "")) {
    if (BINARIES.includes(folder)) {
      if (isKnown(name)) return { kind: "command", name, path: `${folder === "/usr/local/bin" ? "/usr/bin" : folder}/${name}` };
      continue;
    }
    const path = `${folder || "."}/${name}`;
    const node = nodeAt(shell, path);
    if (node instanceof RegularFile && allowed(shell.context, node, X_OK)) return { kind: "file", path, file: node };
  }
  return { kind: "refused", status: NOT_FOUND, message: missing(name) };
}

/** What `hash` keeps holds while PATH stays as it is. */
export function hashedPath(shell: Shell, name: string): string | undefined {
  if (shell.hashedBy !== shell.variables.get("PATH")) shell.hashed = new Map();
  return shell.hashed.get(name);
}

let latest = { path: "", folders: [""] as readonly string[] };

/** What PATH lists; split again only when it has changed. */
function foldersOf(path: string): readonly string[] {
  if (latest.path !== path) latest = { path, folders: path.split(":") };
  return latest.folders;
}

export function isKnown(name: string): boolean {
  return commands.has(name) || externals.has(name);
}

// What /bin and /usr/bin list.
vfs.commands.register({ names: () => [...commands.keys(), ...externals.keys()], has: isKnown });

function atPath(shell: Shell, path: string): Found {
  const [, folder, name] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  if (folder !== undefined && BINARIES.includes(folder) && isKnown(name!)) return { kind: "command", name: name!, path };
  let node;
  try {
    node = find(shell.context, path);
  } catch (error) {
    const status = error instanceof Errno && error.code === "ENOENT" ? NOT_FOUND : NOT_EXECUTABLE;
    return { kind: "refused", status, message: `${path}: ${describeErrno(error)}` };
  }
  if (node instanceof Directory) return { kind: "refused", status: NOT_EXECUTABLE, message: `${path}: Is a directory` };
  if (!(node instanceof RegularFile) || !allowed(shell.context, node, X_OK)) {
    return { kind: "refused", status: NOT_EXECUTABLE, message: `${path}: Permission denied` };
  }
  return { kind: "file", path, file: node };
}

function nodeAt(shell: Shell, path: string): unknown {
  try {
    return find(shell.context, path);
  } catch (error) {
    if (error instanceof Errno) return undefined;
    throw error;
  }
}

/** A command's view of the shell that started it. */
export class ShellProcess implements Process {
  readonly name: string;
  readonly args: readonly string[];
  private input: Reader | undefined;
  private output: Writer | undefined;
  private errors: Writer | undefined;
  private held: Set<Reader | Writer> | undefined;

  constructor(
    private readonly owner: Shell,
    words: readonly string[],
  ) {
    this.name = words[0]!;
    this.args = words.slice(1);
  }

  get context(): Process["context"] {
    return this.owner.context;
  }

  get env(): ReadonlyMap<string, string> {
    return this.owner.variables.exported;
  }

  get pid(): number {
    return this.owner.pid;
  }

  get stdin(): Reader {
    return (this.input ??= readerOf(this.owner.context.descriptors, this.stream(0)));
  }

  get stdout(): Writer {
    return (this.output ??= new Writer(this.stream(1)));
  }

  get stderr(): Writer {
    return (this.errors ??= this.owner.stderr);
  }

  private stream(number: number): OpenFile {
    const { descriptors } = this.owner.context;
    return descriptors.has(number) ? descriptors.get(number) : new ClosedFile();
  }

  get opened(): Set<Reader | Writer> {
    return (this.held ??= new Set());
  }

  /** Closes what the command left open because it failed or was ended: who writes to it must not wait for it. */
  release(): void {
    this.held?.forEach(close);
  }

  flush(): Maybe<void> {
    return then(this.output?.flush(), () => this.errors?.flush());
  }

  pause(): Maybe<unknown> {
    return pause(this.owner);
  }

  launch(argv: readonly string[], setup: Launch = {}): Maybe<number> {
    return prepared(this.owner, argv[0]!, setup, (child) => {
      child.signals.standForCommand();
      return runCommand(child, argv);
    });
  }

  sleep(ms: number): Promise<void> {
    return this.owner.signals.sleep(ms);
  }

  shell(source: string, name: string, args: readonly string[], setup: Launch = {}): Maybe<number> {
    return prepared(this.owner, name, setup, (child) => {
      child.positional = args;
      return child.runSource(source);
    });
  }
}

/** Runs work in a child of `owner` that is set up as told. */
function prepared(owner: Shell, name: string, setup: Launch, work: (child: Shell) => Maybe<number>): Maybe<number> {
  const child = spawn(owner, name, setup.env);
  const { descriptors } = child.context;
  const streams: (OpenFile | undefined)[] = [setup.stdin, setup.stdout, setup.stderr];
  streams.forEach((file, number) => file && descriptors.set(number, file));
  if (setup.cwd !== undefined) {
    child.context.cwd = child.here = setup.cwd;
    child.export("PWD", setup.cwd);
  }
  if (setup.env && !setup.env.has("PWD")) child.variables.own("PWD")!.exported = false;
  child.variables.changed();
  if (!setup.timeout) return live(child, work);
  const { ms, signal, killAfter } = setup.timeout;
  const stops = [child.signals.alarm(ms, signal)];
  if (killAfter !== undefined) stops.push(child.signals.alarm(ms + killAfter, KILL));
  return then(live(child, work), (status) => {
    for (const stop of stops) stop();
    return status;
  });
}
