/** What is between the guest and the host (c/native_host.c, c/step.c, c/keep.c, c/zone.c). */

export interface Handlers {
  message(kind: number, id: number, payload: Uint8Array): void;
  /** Called when no job is left: does the next thing that is due; false when all waits for the host. */
  idle(): boolean;
  /** While the guest is built: starts a run like those to come. */
  rehearse(language: "javascript" | "shell"): void;
  rejection(promise: unknown, reason: unknown, handled: boolean): void;
  uncaught(error: unknown): void;
  /** The host interrupted the run; its jobs are gone. */
  interrupted(): void;
  /** The script left by `leave`; its jobs are gone. */
  left(): void;
  resolve(base: string, name: string): string;
  load(path: string): [exports: unknown] | [meta: unknown, source: string];
  localTimes(): [changes: ArrayBuffer, standard: string, daylight: string] | undefined;
}

export interface NativeHost {
  handlers(handlers: Handlers): void;
  emit(kind: number, id: number, head?: string | Uint8Array, body?: string | Uint8Array): void;
  /** Like `emit`, with the head's length before it as u32 (named and headed payloads). */
  send(kind: number, id: number, head: string, body?: string | Uint8Array): void;
  /** Output, gathered in frames that the host can see soon, also while the guest computes. */
  print(kind: number, text: string | Uint8Array): void;
  /** Stands still until input frames have come, and takes them; false if the run is to end instead. */
  starve(): boolean;
  /** Ends the run at once; never returns to the script. */
  leave(): never;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never goes back. */
  monotonic(): number;
  /** Bytes of linear memory. */
  memory(): number;
  /** Between runs: frees what the last one left and cannot be reached, where that is much. */
  tidy(): void;
  modules(): string[];
  /** The exports of a module of the guest, run anew in the system realm. */
  module(name: string, require?: (name: string) => unknown): unknown;
  interrupted(): boolean;
  /** Lets the host see what was printed; where it wants the run to end, throws what no code can catch. */
  poll(): void;
  /**
   * Runs work that the engine may interrupt at any call and turn of a loop, as it does with a script's own code and with
   * jobs of the shell. What answers the host is not interrupted, and what changes files says so (`spare`).
   */
  exposed<T>(work: () => T): T;
  /** Before what must not end halfway: throws as `poll` does, or keeps the engine from interrupting so many calls and turns. */
  spare(polls: number): void;
}

/** A list of all files for the host to find after a hard stop (c/keep.h). */
export interface NativeKeep {
  begin(): void;
  add(
    parent: number,
    mode: number,
    uid: number,
    link: number,
    mtime: number,
    name: string,
    content: string | Uint8Array | undefined,
    size: number,
  ): void;
  publish(): void;
  drop(): void;
}

export interface NativeZone {
  /** The local time zone of `Date` is UTC, or what the handler `localTimes` tells. */
  set(isUtc: boolean): void;
}
