/** The machine behind sed (c/sed/). */

/** A running sed of c/sed/. */
export interface SedHandle {
  readonly sed: unique symbol;
}

/** What `run` ended with: what it asks for, or why it is over. */
export const SedState = { done: 0, create: 1, open: 2, read: 3, line: 4, copy: 5, write: 6, failed: 7, interrupted: 8, memory: 9, paused: 10 } as const;

export interface NativeSed {
  create(options: Readonly<Record<string, unknown>>): SedHandle;
  source(handle: SedHandle, name: string | undefined, text: Uint8Array): void;
  run(handle: SedHandle): number;
  request(handle: SedHandle): [stream: number, text: Uint8Array];
  /** Answers `open`; nothing means that there is no more input. */
  opened(handle: SedHandle, name: string | undefined): void;
  /** Answers `read` and `line`; nothing means the end. */
  feed(handle: SedHandle, bytes: Uint8Array): void;
  status(handle: SedHandle): number;
  /** Bytes of the input that were fed but not used. */
  unused(handle: SedHandle): number;
  fault(handle: SedHandle): string;
  free(handle: SedHandle): void;
}
