/** One run of a script, from its source to its exit status. */

import { inspect } from "../console/inspect";
import type { Program } from "../loader/compile";
import { isWholeScript } from "../loader/whole";
import type { Maybe } from "../shell/io/maybe";
import { Calls } from "./calls";
import { type Failure, describeFailure } from "./failure";
import { ToHost } from "./frames";
import type { Input } from "./input";
import { type Realm, native } from "./native";
import { Output } from "./output";
import type { ProcessEvents } from "./process";
import { Timers } from "./timers";

export interface RunHeader {
  language?: "javascript" | "shell";
  /** As errors show it; relative names lie in `cwd`. */
  filename: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Bytes over both output streams; 0 for no limit. */
  outputLimit: number;
  /** Of a line of a session, which has its own `cwd`. */
  line?: LineOptions;
}

export interface LineOptions {
  /** Tells sessions apart: another number is another session. */
  session: number;
  /** Whether the session was saved and loaded since its last line. */
  isLoaded: boolean;
  /** How wide the value of the line is shown. */
  columns: number;
  color: boolean;
}

export interface Result {
  exit: number;
  /** JSON of what the script returned or ended with. */
  value?: string | undefined;
  failure?: Failure | undefined;
}

/** What a run says that waits for answers only: by far the most frequent. */
const IDLE = JSON.stringify({ delay: null, input: false });

/** What it says last, nearly always. */
const SUCCESS = JSON.stringify({ exit: 0, hasValue: false });

/** What JSON.stringify says of values that it cannot write. */
const NO_JSON = /^(?:Converting circular structure to JSON|Do not know how to serialize a BigInt)/;

/** Node's status for a script that waits for what never comes. */
const UNSETTLED = 13;

export class Run {
  readonly calls = new Calls();
  readonly timers = new Timers();
  input: Input | undefined;
  /** A program that the run's shell runs. */
  inner: Run | undefined;
  readonly listeners: Partial<ProcessEvents> = {};
  readonly started = native.clock.monotonic();
  exitCode: number | undefined;
  finished = false;
  private giveUp: (() => void) | undefined;
  /** Whether its processes waited for each other. */
  private stuck = false;
  private main: Promise<unknown> | undefined;
  private text = "";
  protected settled: Result | undefined;
  /** The value of the last expression. */
  private last: unknown;
  private ticks: (() => void)[] = [];
  /** `beforeExit` was told that nothing is left to do, and nothing was done since. */
  private announced = false;
  private readonly unhandled = new Map<unknown, unknown>();

  constructor(
    readonly id: number,
    /** Of a script in JavaScript. */
    readonly realm: Realm | undefined,
    readonly header: RunHeader,
    readonly output: Pick<Output, "write" | "flush"> = new Output(header.outputLimit),
  ) {}

  /** Where the script lies in the file system, for what it imports by relative paths. */
  get path(): string {
    const { cwd, filename } = this.header;
    return filename.startsWith("/") ? filename : `${cwd}/${filename}`;
  }

  /** Starts the script; what loading it throws ends the run as an uncaught error. */
  start(load: () => Program): void {
    this.guarded(() => {
      const { start, text } = load();
      this.text = text;
      this.main = start();
    });
    this.runTicks();
  }

  /** Starts a shell script, which ends with its status; `giveUp` ends its processes, where they wait for each other. */
  startShell(begin: () => Maybe<number>, giveUp?: () => void): void {
    this.giveUp = giveUp;
    this.guarded(() => {
      const status = native.host.exposed(begin);
      if (typeof status === "number") this.settled = { exit: status };
      else this.main = status;
    });
  }

  /** Queues a callback for after the present synchronous work. */
  tick(callback: () => void): void {
    this.ticks.push(callback);
  }

  /** Does the next thing that is due; false when the run waits for the host or is over. */
  advance(): boolean {
    if (this.finished) return false;
    if (this.inner && (this.inner.advance() || this.inner.finished)) return true;
    if (this.runTicks()) return true;
    this.failUnhandled();
    if (this.takeMain()) return true;
    if (this.finished) return false;
    if (this.timers.any && this.guarded(() => this.timers.fire())) {
      this.announced = false;
      this.runTicks();
      return true;
    }
    if (this.calls.pending || this.timers.holding || this.input?.wanted || this.inner) {
      this.announced = false;
      this.wait();
      return false;
    }
    return this.end();
  }

  rejection(promise: unknown, reason: unknown, handled: boolean): void {
    if (handled) this.unhandled.delete(promise);
    else this.unhandled.set(promise, reason);
  }

  /** An error that nobody caught: ends the run unless the script listens for such. */
  fail(error: unknown, origin = "uncaughtException"): void {
    const listener = this.listeners.uncaughtException;
    if (!listener) {
      const exit = this.announceExit(1);
      this.finish({ exit, failure: describeFailure(error) });
      return;
    }
    this.settled ??= { exit: 0 };
    try {
      listener(error, origin);
    } catch (second) {
      this.finish({ exit: 7, failure: describeFailure(second) });
    }
  }

  /** Ends the run at once, as `process.exit` does; never returns. */
  leave(code: number): never {
    this.announceExit(code);
    native.host.leave();
  }

  finish({ exit, value, failure }: Result): void {
    if (this.finished) return;
    this.finished = true;
    this.report({ exit, value, failure });
  }

  /** Tells how the run ended. */
  protected report({ exit, value, failure }: Result): void {
    this.output.flush();
    const hasValue = value !== undefined;
    const head = failure || hasValue || exit !== 0 ? JSON.stringify({ exit, failure, hasValue }) : SUCCESS;
    native.host.send(ToHost.done, this.id, head, value);
  }

  /** Runs a piece of the script; what it throws is uncaught. */
  private guarded<T>(piece: () => T): T | undefined {
    try {
      return piece();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  private runTicks(): boolean {
    if (this.ticks.length === 0) return false;
    while (this.ticks.length > 0 && !this.finished) {
      const due = this.ticks;
      this.ticks = [];
      for (const callback of due) this.guarded(callback);
    }
    return true;
  }

  private failUnhandled(): void {
    if (this.unhandled.size === 0) return;
    for (const [promise, reason] of [...this.unhandled]) {
      if (promise === this.main || this.finished) continue;
      this.unhandled.delete(promise);
      const listener = this.listeners.unhandledRejection;
      if (listener) this.guarded(() => listener(reason, promise));
      else this.fail(reason, "unhandledRejection");
    }
  }

  /** Once the script's own promise is settled, its value is printed, and kept until the rest is drained; true if not yet. */
  protected takeMain(): boolean {
    if (this.main === undefined || this.finished || native.types.isPending(this.main)) return false;
    const [state, result] = native.types.promiseDetails(this.main) ?? [1, undefined];
    this.unhandled.delete(this.main);
    this.main = undefined;
    if (state === 2) this.fail(result);
    else this.guarded(() => this.settle(result));
    return this.main !== undefined;
  }

  /** Takes what the script's own promise came to. */
  protected settle(result: unknown): void {
    if (this.realm === undefined) {
      this.settled = { exit: result as number };
      return;
    }
    const completion = native.realm.completion(result);
    if (completion && isWholeScript(completion[0], this.text)) {
      this.main = Promise.resolve(completion[0]());
      return;
    }
    if (completion) {
      this.last = completion[0];
      this.settled = { exit: 0, value: this.completionJson(this.last) };
      return;
    }
    const json = this.returnedJson(result);
    this.print(result, json);
    this.settled = { exit: 0, value: json };
  }

  /** JSON of a value; a BigInt is its digits. Throws what the script's own `toJSON` throws, and for what is no JSON. */
  private json(value: unknown): string | undefined {
    return typeof value === "bigint" ? String(value) : native.realm.stringify(this.realm!, value);
  }

  /** What is returned but no JSON, a circular object or a BigInt inside, is printed as it looks and has no value. */
  private returnedJson(value: unknown): string | undefined {
    try {
      return this.json(value);
    } catch (error) {
      if (!NO_JSON.test(describeFailure(error).message)) throw error;
      return undefined;
    }
  }

  /** A last expression that JSON cannot carry is no error: nobody asked for its value. */
  private completionJson(value: unknown): string | undefined {
    try {
      return this.json(value);
    } catch {
      return undefined;
    }
  }

  /** A last expression may be a call that nobody awaited: by now all are over. */
  private takeLast(result: Result): void {
    if (this.last === undefined) return;
    const [state, value] = native.types.promiseDetails(this.last) ?? [0];
    if (state === 1) result.value = this.completionJson(value);
  }

  /** A returned string is printed bare, any other value as JSON if it can be. */
  private print(value: unknown, json: string | undefined): void {
    if (value === undefined) return;
    this.output.write(1, `${typeof value === "string" ? value : (json ?? inspect(value))}\n`);
  }

  /** Tells what the run waits for. */
  protected wait(): void {
    this.output.flush();
    const delay = least(this.timers.delay(), this.inner?.timers.delay()) ?? null;
    const input = this.input?.wanted ?? false;
    native.host.emit(ToHost.wait, 0, delay === null && !input ? IDLE : JSON.stringify({ delay, input }));
  }

  /** Nothing is left to do: ends the run, unless a listener finds more; true if it did. */
  private end(): boolean {
    const { giveUp } = this;
    if (!this.settled && giveUp) {
      this.giveUp = undefined;
      this.stuck = true;
      this.guarded(() => native.host.exposed(giveUp));
      return true;
    }
    const result = this.stuck || !this.settled ? { exit: UNSETTLED, failure: unsettled(this.header.language === "shell") } : this.settled;
    const exit = result.failure ? result.exit : (this.exitCode ?? result.exit);
    const { beforeExit } = this.listeners;
    if (beforeExit && this.settled && !this.announced) {
      this.announced = true;
      this.guarded(() => beforeExit(exit));
      this.runTicks();
      return true;
    }
    const last = this.announceExit(exit);
    this.takeLast(result);
    this.finish({ ...result, exit: last });
    return false;
  }

  /** Tells listeners, who may change the status that it returns. */
  protected announceExit(code: number): number {
    const { exit } = this.listeners;
    delete this.listeners.exit;
    this.exitCode = code;
    if (exit) this.guarded(() => exit(code));
    return this.exitCode;
  }
}

function least(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
}

function unsettled(isShell: boolean): Failure {
  const message = isShell
    ? "the script's processes wait for each other, and nothing else is left to happen"
    : "the script awaits a promise that nothing is left to settle";
  return { name: "Error", message, text: `Error: ${message}`, stack: [], code: "ERR_UNSETTLED_TOP_LEVEL_AWAIT" };
}
