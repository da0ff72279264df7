/** One line of a session: a run that shows its value and leaves its world standing. */

import { native } from "../bridge/native";
import { ToHost } from "../bridge/frames";
import { describeFailure } from "../bridge/failure";
import { type Result, Run, type RunHeader } from "../bridge/run";
import { inspect } from "../console/inspect";
import type { InspectOptions } from "../console/context";
import type { Program } from "../loader/compile";
import { remember } from "./remembered";
import type { Session } from "./session";
import { uncaught, unreadable } from "./uncaught";

export class Line extends Run {
  /** Whether it came to its own end, as opposed to one that the host made. */
  isConcluded = false;
  /** Whether it asked for the session's end. */
  private isLast = false;
  /** The value as it is shown. */
  private shown: string | undefined;
  /** The error that nobody caught, likewise. */
  private uncaught: string | undefined;
  /** Where the session's process is. */
  where: () => string = () => this.header.cwd;

  constructor(
    id: number,
    session: Session,
    header: RunHeader,
  ) {
    super(id, session.active.realm.realm, header);
  }

  /** How values are shown. */
  private get options(): InspectOptions {
    const { columns, color } = this.header.line!;
    return { breakLength: columns, colors: color, showProxy: true };
  }

  startScript(source: string, load: () => Program | undefined): void {
    let program: Program | undefined;
    try {
      program = load();
    } catch (error) {
      this.failed(error, () => unreadable(error, source, this.options));
      return;
    }
    if (program) this.start(() => program);
    else this.settled = { exit: 0 };
  }

  override leave(code: number): never {
    this.exitCode = code;
    this.exit();
    native.host.leave();
  }

  /** The session's end is asked for. */
  exit(): void {
    this.isLast = true;
  }

  /** What is already there of the line's value is shown first. */
  override fail(error: unknown, origin?: string): void {
    if (origin === "unhandledRejection") this.takeMain();
    if (this.finished) return;
    this.failed(error, () => uncaught(error, this.options));
  }

  /** `show` takes frames out of the error that tell its place. */
  private failed(error: unknown, show: () => string): void {
    const failure = describeFailure(error);
    try {
      this.uncaught = show();
    } catch {
      this.uncaught = failure.text.replace(/^(?!Uncaught )/, "Uncaught ");
    }
    remember(this.realm!, "_error", error);
    this.finish({ exit: 1, failure });
  }

  protected override settle(result: unknown): void {
    if (typeof result === "number") {
      this.settled = { exit: result };
      return;
    }
    const value = native.realm.completion(result)?.[0];
    remember(this.realm!, "_", value);
    this.shown = inspect(value, this.options);
    this.settled = { exit: 0 };
  }

  protected override announceExit(code: number): number {
    return code;
  }

  protected override report({ exit, failure }: Result): void {
    this.output.flush();
    const { shown, uncaught: error, isLast } = this;
    const line = { shown, error, cwd: this.where(), isLast };
    native.host.send(ToHost.done, this.id, JSON.stringify({ exit, failure, hasValue: false, line }));
  }
}
