import { EventEmitter } from "node:events";
import { kernel } from "amla:kernel";
import type { ProcessEvents } from "../bridge/process";
import { coded, invalidType, outOfRange, requireFunction, requireInteger, requireString } from "./errors";
import { lazily } from "./lazily";
import { nextTick } from "./process/ticks";
import { emitWarning } from "./process/warning";

/** The global `process`: an emitter with the facts of this run. */

const run = kernel.process;

const VERSION = "v20.19.0";

const versions = { node: VERSION.slice(1), v8: "11.3.244.8-node.26", uv: "1.46.0", modules: "115" };

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

function hrtime(previous?: [number, number]): [number, number] {
  const nanoseconds = hrtime.bigint() - (previous ? BigInt(previous[0]) * 1_000_000_000n + BigInt(previous[1]) : 0n);
  return [Number(nanoseconds / 1_000_000_000n), Number(nanoseconds % 1_000_000_000n)];
}
hrtime.bigint = (): bigint => BigInt(Math.round(run.monotonic() * 1e6)) + 1_000_000_000n;

function memoryUsage(): Record<string, number> {
  const bytes = run.memory();
  return { rss: bytes, heapTotal: bytes, heapUsed: bytes, external: 0, arrayBuffers: 0 };
}
memoryUsage.rss = (): number => run.memory();

/** Names and values are strings, as in a real environment. */
function environment(): Record<string, string> {
  return new Proxy({ ...run.env } as Record<string, string>, {
    set(target, name, value: unknown) {
      if (typeof name === "symbol" || typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
      target[name] = `${value}`;
      return true;
    },
    defineProperty(target, name, { value }) {
      target[name as string] = `${value}`;
      return true;
    },
  });
}

function unsupported(name: string): never {
  const message = `process.${name}() is not available in the sandbox: there are no other processes and no native code`;
  throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", message);
}

const facts = {
  title: "node",
  version: VERSION,
  versions,
  arch: "x64",
  platform: "linux",
  release: { name: "node", lts: "Iron" },
  execPath: "/usr/bin/node",
  execArgv: [] as string[],
  pid: 1,
  ppid: 0,
  config: { target_defaults: {}, variables: {} },
  features: { inspector: false, debug: false, uv: false, ipv6: false },
  debugPort: 9229,
  allowedNodeEnvironmentFlags: new Set<string>(),
};

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
    if (pid !== process.pid) throw Object.assign(new Error("kill ESRCH"), { errno: -3, code: "ESRCH", syscall: "kill" });
    return signal === 0 ? true : run.exit(143);
  },
  umask: (): number => 0o022,
  uptime: (): number => run.monotonic() / 1000,
  hrtime,
  memoryUsage,
  cpuUsage: (): { user: number; system: number } => ({ user: Math.round(run.monotonic() * 1000), system: 0 }),
  resourceUsage: (): { userCPUTime: number; maxRSS: number } => ({
    userCPUTime: Math.round(run.monotonic() * 1000),
    maxRSS: Math.round(run.memory() / 1024),
  }),
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

/** Events that the run itself raises once a script listens; a listener replaces what would happen otherwise. */
const raised: { [Name in keyof ProcessEvents]: ProcessEvents[Name] } = {
  beforeExit: (code) => void process.emit("beforeExit", code),
  exit: (code) => {
    if (exiting) return;
    exiting = true;
    process.emit("exit", process.exitCode ?? code);
  },
  uncaughtException: (error, origin) => void process.emit("uncaughtException", error, origin),
  unhandledRejection: (reason, promise) => void process.emit("unhandledRejection", reason, promise),
};

function followListeners(made: EventEmitter): void {
  const follow = (name: keyof ProcessEvents): void => run.listen(name, made.listenerCount(name) > 0 ? raised[name] : null);
  const change = (name: string | symbol): void => {
    if (Object.hasOwn(raised, name)) follow(name as keyof ProcessEvents);
  };
  for (const method of ["addListener", "on", "once", "prependListener", "prependOnceListener", "removeListener", "off"] as const) {
    const original = made[method];
    const watched = (name: string, listener: never): EventEmitter => {
      original.call(made, name, listener);
      change(name);
      return made;
    };
    Object.defineProperty(made, method, { value: watched, configurable: true, writable: true });
  }
}

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

let code: number | undefined;

function create(): Process {
  const made = Object.create(prototype()) as EventEmitter;
  (EventEmitter as unknown as () => void).call(made as never);
  for (const name of Reflect.ownKeys(made)) Object.defineProperty(made, name, { enumerable: false });
  followListeners(made);
  Object.assign(made, facts, methods);
  Object.defineProperty(made, "exitCode", {
    get: () => code,
    set: (value: unknown) => {
      code = value === undefined || value === null ? undefined : exitCode(value);
      run.setExitCode(code ?? 0);
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
