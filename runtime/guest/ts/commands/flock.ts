import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { finally_, then, type Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { release } from "../vfs/descriptors";
import { Errno } from "../vfs/errors";
import { O_CREAT, O_RDONLY } from "../vfs/flags";
import { lockFreed, tryLock, unlock } from "../vfs/locks";
import { open } from "../vfs/open";
import type { OpenFile } from "../vfs/openfile";
import { command, complain, Failure } from "./command";
import { UsageFault } from "./options";
import { refusal } from "./programs";

/** Statuses of sysexits.h. */
const USAGE = 64;
const DATA = 65;
const NO_INPUT = 66;
const UNAVAILABLE = 69;
const SYSTEM = 71;

interface Wish {
  readonly shared: boolean;
  readonly verbose: boolean;
  /** Milliseconds to wait at most. */
  readonly patience: number;
  /** Status where the lock cannot be had. */
  readonly conflict: number;
}

export const flock = command({
  name: "flock",
  usage: ["[OPTION]... FILE COMMAND [ARG]...", "[OPTION]... FILE -c COMMAND", "[OPTION]... DESCRIPTOR"],
  about: "Run COMMAND while FILE is locked, or lock what a descriptor of the shell leads to.",
  options: {
    shared: ["-s, --shared", "lock together with others that share it"],
    exclusive: ["-x, -e, --exclusive", "lock alone, which is the default"],
    unlock: ["-u, --unlock", "give the lock up"],
    nonblock: ["-n, --nb, --nonblock", "fail rather than wait"],
    timeout: ["-w, --wait=SECONDS, --timeout=SECONDS", "wait so long at most"],
    conflict: ["-E, --conflict-exit-code=NUMBER", "the status where the lock cannot be had, in place of 1"],
    close: ["-o, --close", "the command does not inherit the lock"],
    stay: ["-F, --no-fork", "ignored"],
    verbose: ["--verbose", "tell what happens"],
  },
  failure: USAGE,
  inOrder: true,
  run(process, options, operands) {
    const [target, ...words] = operands;
    if (target === undefined) throw process.args.length === 0 ? new UsageFault("not enough arguments") : new Failure("requires file descriptor, file or directory", USAGE);
    const wish = {
      shared: options.last("shared", "exclusive") === "shared",
      verbose: options.has("verbose"),
      patience: options.has("nonblock") ? 0 : patienceOf(options.value("timeout")),
      conflict: conflictOf(options.value("conflict") ?? "1"),
    };
    const begin = (file: OpenFile): Maybe<number> => (options.has("unlock") ? giveUp(file) : acquire(process, file, wish));
    if (words.length === 0) return begin(ownFile(process, target));
    const argv = argvOf(process, words);
    const file = opened(process, target);
    return finally_(() => then(begin(file), (status) => (status === 0 ? launch(process, argv, wish) : status)), () => release(file));
  },
});

function patienceOf(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (!/^-?\d*\.?\d+$/.test(text)) throw new Failure(`invalid timeout value: '${text}'`, USAGE);
  if (text.startsWith("-")) throw new Failure("cannot set up timer: Invalid argument", SYSTEM);
  return Number(text) * 1000;
}

function conflictOf(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > 255) throw new Failure("exit code out of range (expected 0 to 255)", USAGE);
  return Number(text);
}

function ownFile({ context }: Process, target: string): OpenFile {
  if (!/^\d+$/.test(target)) throw new Failure(`bad file descriptor: '${target}'`, USAGE);
  const file = context.descriptors.find(Number(target));
  if (file === undefined) throw new Failure(`${target}: Bad file descriptor`, DATA);
  return file;
}

function argvOf({ env }: Process, words: readonly string[]): readonly string[] {
  if (words[0] !== "-c" && words[0] !== "--command") return words;
  if (words.length !== 2) throw new Failure(`${words[0]} requires exactly one command argument`, USAGE);
  return [env.get("SHELL") ?? "/bin/sh", "-c", words[1]!];
}

/** A reference of ours keeps it open. */
function opened({ context }: Process, path: string): OpenFile {
  let file;
  try {
    file = open(context, path, O_RDONLY | O_CREAT, 0o666);
  } catch (error) {
    if (!(error instanceof Errno)) throw error;
    if (error.code !== "EISDIR") throw new Failure(`cannot open lock file ${path}: ${describeErrno(error)}`, NO_INPUT);
    file = open(context, path, O_RDONLY, 0);
  }
  file.references += 1;
  return file;
}

function giveUp(file: OpenFile): number {
  unlock(file);
  return 0;
}

function acquire(process: Process, file: OpenFile, wish: Wish): Maybe<number> {
  const started = native.clock.monotonic();
  const taken = (): number => {
    if (wish.verbose) process.stdout.print(`${process.name}: getting lock took ${((native.clock.monotonic() - started) / 1000).toFixed(6)} seconds\n`);
    return 0;
  };
  const refused = (why: string): number => {
    if (wish.verbose) complain(process, why);
    return wish.conflict;
  };
  const attempt = (): Maybe<number> => {
    if (tryLock(file, wish.shared)) return taken();
    if (wish.patience === 0) return refused("failed to get lock");
    const left = started + wish.patience - native.clock.monotonic();
    if (left <= 0) return refused("timeout while waiting to get lock");
    const freed = lockFreed(file);
    // Who was ended meanwhile must not take it.
    return (left === Infinity ? freed : Promise.race([freed, process.sleep(left)])).then(() => then(process.pause(), attempt));
  };
  return attempt();
}

function launch(process: Process, argv: readonly string[], { verbose }: Wish): Maybe<number> {
  if (refusal(process, argv[0]!, `failed to execute ${argv[0]}`) !== 0) return UNAVAILABLE;
  if (verbose) process.stdout.print(`${process.name}: executing ${argv[0]}\n`);
  return then(process.flush(), () => process.launch(argv));
}
