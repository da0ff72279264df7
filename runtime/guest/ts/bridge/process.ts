/** What a script's `process` and timers ask of the run they belong to. */

export interface KernelTimers {
  /** Milliseconds are clamped as Node clamps them. The id is never 0. */
  set(ms: number, repeat: boolean, callback: () => void): number;
  /** Runs after the jobs that are queued now, before any timer that is not due yet. */
  setImmediate(callback: () => void): number;
  /** Ids of timers that fired or never were are ignored. */
  clear(id: number): void;
  /** Says whether the run waits for the timer; false if it is gone. */
  hold(id: number, holds: boolean): boolean;
}

/** Events of the run that a script may listen to; a listener replaces what would happen otherwise. */
export interface ProcessEvents {
  /** The run is about to end by itself and may be kept alive by new work. */
  beforeExit: (code: number) => void;
  /** The run ends; only what is synchronous still happens. */
  exit: (code: number) => void;
  uncaughtException: (error: unknown, origin: string) => void;
  unhandledRejection: (reason: unknown, promise: unknown) => void;
}

/** Sets a variable of the environment, or deletes it where there is no value. */
export type ChangeVariable = (name: string, value: string | undefined) => void;

export interface KernelProcess {
  /** `["/usr/bin/node", "/workspace/script.js", …arguments]` */
  readonly argv: string[];
  readonly env: Record<string, string>;
  /** The environment as it is now; `change` is told what becomes of it elsewhere. */
  environment(change: ChangeVariable): Record<string, string>;
  /** The script changed its environment. */
  readonly setVariable: ChangeVariable;
  cwd(): string;
  /** Throws as `fs` does when the path is no directory. */
  chdir(path: string): void;
  /** Ends the run; never returns to the script. */
  exit(code: number): never;
  /** The status with which the run will end if nothing else decides it. */
  setExitCode(code: number): void;
  /** 1 is standard output, 2 standard error. */
  write(fd: number, data: string | Uint8Array): void;
  /** Bytes of standard input that have arrived, at most 64 KiB; empty at its end, undefined when none are there yet. */
  readStdin(): Uint8Array | undefined;
  /** Calls back once readStdin has something to say; the run waits for that. */
  waitStdin(wake: () => void): void;
  /** Says whether the run waits for what reads standard input. */
  holdStdin(holds: boolean): void;
  /** Calls back once: after the script's current synchronous work, before promise jobs where the engine lets it. */
  tick(callback: () => void): void;
  listen<Name extends keyof ProcessEvents>(event: Name, listener: ProcessEvents[Name] | null): void;
  /** Milliseconds since 1970, with fractions. */
  now(): number;
  /** Milliseconds since the run began, with fractions. */
  monotonic(): number;
  /** Bytes of the sandbox's memory. */
  memory(): number;
}
