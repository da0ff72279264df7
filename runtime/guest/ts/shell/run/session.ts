/** What all processes of one run share. */

import { native } from "../../bridge/native";
import type { Maybe } from "../io/maybe";
import { RoomFault } from "./errors";
import type { Shell } from "./shell";

/** What the run that a shell script is gives to it. */
export interface Host {
  /** Calls back after so many milliseconds, unless the function returned is called. */
  timer(ms: number, callback: () => void): () => void;
  /** Calls a tool: JSON text of the arguments, JSON bytes of the answer. */
  call(path: string, json: string, settle: (ok: boolean, json: Uint8Array) => void): void;
  describe(path: string, settle: (ok: boolean, json: Uint8Array) => void): void;
}

/** Processes that may be alive at once: a fork bomb meets it first. */
const PROCESSES_MOST = 512;
const PROCESSES_CROWDED = 64;

export class Session {
  readonly processes = new Map<number, Shell>();
  /** When its script began. */
  started = native.clock.monotonic();
  private lastPid = 100;
  /** Background work that the run waits for. */
  private held: Promise<unknown>[] = [];

  constructor(readonly host: Host) {}

  /** To be asked before anything of a process is made, which would hold descriptors open. */
  demandRoom(fatal = true): void {
    if (this.processes.size >= PROCESSES_MOST) throw new RoomFault(`fork: too many processes (limit: ${PROCESSES_MOST})`, 254, fatal);
  }

  register(process: Shell): number {
    this.lastPid += 1;
    this.processes.set(this.lastPid, process);
    return this.lastPid;
  }

  release(pid: number): void {
    this.processes.delete(pid);
  }

  /** Whether anything else might want to run while one process computes. */
  get shared(): boolean {
    return this.processes.size > 1 || this.held.length > 0;
  }

  /** Whether there are so many processes that those should go on that can. */
  get crowded(): boolean {
    return this.processes.size > PROCESSES_CROWDED;
  }

  hold(work: Promise<unknown>): void {
    this.held.push(work);
    void work.finally(() => (this.held = this.held.filter((each) => each !== work)));
  }

  /** Gives up all processes but one. */
  abandon(rest: Shell): void {
    this.held = [];
    this.processes.clear();
    this.processes.set(rest.pid, rest);
  }

  /** All processes end, the youngest first: they wait for each other. */
  giveUp(): void {
    for (const process of [...this.processes.values()].reverse()) process.signals.giveUp();
  }

  /** Waits for all that runs in the background. */
  drain(): Maybe<void> {
    if (this.held.length === 0) return;
    return Promise.all(this.held).then(() => this.drain());
  }
}
