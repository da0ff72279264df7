/** Signals by name and number, as on Linux, and what ends a process. */

export const SIGNALS: Readonly<Record<string, number>> = {
  HUP: 1, INT: 2, QUIT: 3, ILL: 4, TRAP: 5, ABRT: 6, BUS: 7, FPE: 8, KILL: 9, USR1: 10, SEGV: 11, USR2: 12, PIPE: 13,
  ALRM: 14, TERM: 15, STKFLT: 16, CHLD: 17, CONT: 18, STOP: 19, TSTP: 20, TTIN: 21, TTOU: 22, URG: 23, XCPU: 24,
  XFSZ: 25, VTALRM: 26, PROF: 27, WINCH: 28, IO: 29, PWR: 30, SYS: 31, ...realTime(),
};

/** RTMIN+1 and so on, named from the nearer end. */
function realTime(): Record<string, number> {
  const [first, last] = [34, 64];
  const names: Record<string, number> = {};
  for (let number = first; number <= last; number += 1) {
    const fromFirst = number - first;
    const near = fromFirst <= (last - first) / 2;
    const distance = near ? fromFirst : last - number;
    names[`${near ? "RTMIN" : "RTMAX"}${distance === 0 ? "" : `${near ? "+" : "-"}${distance}`}`] = number;
  }
  return names;
}

export const SIGPIPE = 13;

/** Thrown through a process that a signal ends; nothing but the process's own end catches it. */
export class Killed {
  constructor(readonly signal: number) {}

  get status(): number {
    return 128 + this.signal;
  }
}
