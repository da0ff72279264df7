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
  private shown: string | undefined;
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
      this.shown = unreadable(error, source, this.options);
      this.failed(error);
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

  override fail(error: unknown): void {
    this.shown = uncaught(error, this.options);
    this.failed(error);
  }

  private failed(error: unknown): void {
    remember(this.realm!, "_error", error);
    this.finish({ exit: 1, failure: describeFailure(error) });
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

  protected override announceExit(): void {}

  protected override report({ exit, failure }: Result): void {
    this.output.flush();
    const line = { shown: this.shown, cwd: this.where(), isLast: this.isLast };
    native.host.send(ToHost.done, this.id, JSON.stringify({ exit, failure, hasValue: false, line }));
  }
}
