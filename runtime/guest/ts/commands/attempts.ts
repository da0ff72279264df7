/** Work on files one after the other, where a failure is told of and the rest is done all the same. */

import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { complain } from "./command";

export class Attempts {
  status = 0;

  constructor(private readonly process: Process) {}

  /** Does `work`, whose result it is; undefined after a message, which the reason follows, if it failed. */
  try<T>(message: () => string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      const reason = describeErrno(error);
      this.fail(`${message()}: ${reason}`);
      return undefined;
    }
  }

  /** Does `work`; whether it went well. */
  done(message: () => string, work: () => void): boolean {
    return this.try(message, () => (work(), true)) ?? false;
  }

  fail(message: string, status = 1): void {
    complain(this.process, message);
    this.status = status;
  }
}
