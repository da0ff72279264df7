import { EventEmitter } from "node:events";
import { kernel } from "amla:kernel";
import { coded, invalidType, outOfRange, requireFunction, requireInteger, requireString } from "./errors";
import { lazily } from "./lazily";
import { cpuUsage, hrtime, memoryUsage, resourceUsage } from "./process/clock";
import { environment, facts } from "./process/facts";
import { followListeners } from "./process/listening";
import { nextTick } from "./process/ticks";
import { emitWarning } from "./process/warning";

/** The global `process`: an emitter with the facts of this run. */

const run = kernel.process;

let exiting = false;

function exitCode(value: unknown): number {
  if (value === undefined || value === null) return 0;
  const code = typeof value === "string" && Number.isInteger(Number(value)) && value !== "" ? Number(value) : value;
  if (typeof code !== "number") throw invalidType("code", "of type number", value);
  if (!Number.isInteger(code)) throw outOfRange("code", "an integer", value);
  return code;
}

/** `exit` listeners may still set the code; a second exit from within one is final. */
function exit(code?: unknown): never {
  if (code !== undefined) process.exitCode = exitCode(code);
  if (!exiting) {
    exiting = true;
    process.emit("exit", process.exitCode ?? 0);
  }
  return run.exit(exitCode(process.exitCode));
}

function unsupported(name: string): never {
  const message = `process.${name}() is not available in the sandbox: there are no other processes and no native code`;
  throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", message);
}

const methods = {
  cwd: (): string => run.cwd(),
  chdir(directory: string): void {
    requireString("directory", directory);
    run.chdir(directory);
  },
  exit,
  reallyExit: exit,
  abort: (): never => run.exit(134),
  kill(pid: number, signal: unknown = "SIGTERM"): boolean {
    requireInteger("pid", pid, -(2 ** 31), 2 ** 31 - 1);
    if (pid !== process.pid)
      throw Object.assign(new Error("kill ESRCH"), { errno: -3, code: "ESRCH", syscall: "kill" });
    return signal === 0 ? true : run.exit(143);
  },
  umask: (): number => 0o022,
  uptime: (): number => run.monotonic() / 1000,
  hrtime,
  memoryUsage,
  cpuUsage,
  resourceUsage,
  getuid: (): number => 1000,
  geteuid: (): number => 1000,
  getgid: (): number => 1000,
  getegid: (): number => 1000,
  getgroups: (): number[] => [1000],
  nextTick,
  emitWarning,
  binding: (): never => unsupported("binding"),
  dlopen: (): never => unsupported("dlopen"),
  setUncaughtExceptionCaptureCallback(callback: ((error: unknown) => void) | null): void {
    if (callback !== null) requireFunction("fn", callback);
    run.listen("uncaughtException", callback);
  },
  getBuiltinModule(name: string): unknown {
    try {
      return require(name);
    } catch {
      return undefined;
    }
  },
};

interface Stdio {
  write(text: string): boolean;
}

type Process = EventEmitter &
  typeof facts &
  typeof methods & {
    env: Record<string, string>;
    argv: string[];
    exitCode: number | undefined;
    stdin: unknown;
    stdout: Stdio;
    stderr: Stdio;
  };

/** How the run's own events reach the script's listeners. */
const raise: Parameters<typeof followListeners>[1] = {
  beforeExit: (code) => void process.emit("beforeExit", code),
  exit: (code) => {
    if (exiting) return;
    exiting = true;
    if (code !== 0) process.exitCode = code;
    process.emit("exit", code);
  },
  uncaughtException: (error, origin) => void process.emit("uncaughtException", error, origin),
  unhandledRejection: (reason, promise) => void process.emit("unhandledRejection", reason, promise),
};

/** Between process and EventEmitter stands a prototype of its own, as in Node. */
function prototype(): object {
  const proto = Object.create(EventEmitter.prototype) as object;
  const define = (name: PropertyKey, value: unknown): void => {
    Object.defineProperty(proto, name, { value, configurable: true, writable: true });
  };
  define("constructor", function process() {});
  define(Symbol.toStringTag, "process");
  return proto;
}

let code: unknown;

function create(): Process {
  const made = Object.create(prototype()) as EventEmitter;
  (EventEmitter as unknown as () => void).call(made as never);
  for (const name of Reflect.ownKeys(made)) Object.defineProperty(made, name, { enumerable: false });
  followListeners(made, raise);
  Object.assign(made, facts, methods);
  Object.defineProperty(made, "exitCode", {
    get: () => code,
    set: (value: unknown) => {
      run.setExitCode(exitCode(value));
      code = value;
    },
    enumerable: true,
    configurable: true,
  });
  lazily(made, {
    argv: () => [...run.argv],
    argv0: () => "node",
    env: environment,
    stdin: () => require("amla:stdio").stdin,
    stdout: () => require("amla:stdio").stdout,
    stderr: () => require("amla:stdio").stderr,
  });
  return made as Process;
}

const process = create();

export default process;

module.exports = process;
