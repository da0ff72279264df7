/** Timers of the running script, in the order in which they are due. */

import { native } from "./native";

interface Timer {
  readonly id: number;
  readonly callback: () => void;
  /** Milliseconds between rounds, or undefined for one shot. */
  readonly interval: number | undefined;
  due: number;
  /** Whether the run waits for it. */
  holds: boolean;
}

const LONGEST = 2 ** 31 - 1;

/** Never used twice, so that in a session a timer of an earlier line is not taken for another. */
let latest = 0;

export class Timers {
  private readonly waiting: Timer[] = [];
  private immediates: Timer[] = [];
  set(delay: number, repeat: boolean, callback: () => void): number {
    const ms = delay >= 1 && delay <= LONGEST ? Math.trunc(delay) : 1;
    const timer = this.create(callback, repeat ? ms : undefined);
    timer.due = native.clock.monotonic() + ms;
    this.insert(timer);
    return timer.id;
  }

  /** Runs before any timer that is not due yet, after the jobs that are queued now. */
  setImmediate(callback: () => void): number {
    const timer = this.create(callback, undefined);
    this.immediates.push(timer);
    return timer.id;
  }

  clear(id: number): void {
    for (const list of [this.waiting, this.immediates]) {
      const at = list.findIndex((timer) => timer.id === id);
      if (at >= 0) list.splice(at, 1);
    }
  }

  /** Whether the timer is still to fire; `holds` says whether the run waits for it. */
  hold(id: number, holds: boolean): boolean {
    const timer = this.waiting.find((each) => each.id === id);
    if (timer) timer.holds = holds;
    return timer !== undefined;
  }

  /** Fires the next timer that is due; false when none is. */
  fire(): boolean {
    const first = this.waiting[0];
    const due = first !== undefined && first.due <= native.clock.monotonic();
    const timer = due ? first : this.immediates[0];
    if (timer === undefined) return false;
    if (due) this.waiting.shift();
    else this.immediates.shift();
    if (timer.interval !== undefined) {
      timer.due = native.clock.monotonic() + timer.interval;
      this.insert(timer);
    }
    timer.callback();
    return true;
  }

  /** Milliseconds until the next timer, or undefined when none is set. */
  delay(): number | undefined {
    const first = this.waiting[0];
    return first && Math.max(0, first.due - native.clock.monotonic());
  }

  /** Whether any is set. */
  get any(): boolean {
    return this.waiting.length > 0 || this.immediates.length > 0;
  }

  /** Whether any timer keeps the run alive. */
  get holding(): boolean {
    return this.immediates.length > 0 || this.waiting.some((timer) => timer.holds);
  }

  private create(callback: () => void, interval: number | undefined): Timer {
    latest += 1;
    return { id: latest, callback, interval, due: 0, holds: true };
  }

  private insert(timer: Timer): void {
    let at = this.waiting.length;
    while (at > 0 && this.waiting[at - 1]!.due > timer.due) at -= 1;
    this.waiting.splice(at, 0, timer);
  }
}
