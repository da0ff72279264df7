/** The machine behind awk (c/awk/). */

/** A running awk of c/awk/. */
export interface AwkHandle {
  readonly awk: unique symbol;
}

/** What `run` ended with: what it asks for, or why it is over. */
export const AwkState = { done: 0, open: 1, read: 2, write: 3, close: 4, system: 5, memory: 7, paused: 8 } as const;

/** How a stream is to be opened: `writeBoth` with the reading side of its two-way pipe, which is the stream before it. */
export const AwkMode = { operand: 0, readFile: 1, readCommand: 2, readBoth: 3, writeFile: 4, appendFile: 5, writeCommand: 6, writeBoth: 7 } as const;

export interface NativeAwk {
  /** `inPlace`: what was printed is to be written before a file of the command line is closed. */
  create(bytewise: boolean, inPlace: boolean): AwkHandle;
  source(handle: AwkHandle, name: string | undefined, text: Uint8Array): void;
  assign(handle: AwkHandle, assignment: Uint8Array): void;
  argument(handle: AwkHandle, text: Uint8Array): void;
  environment(handle: AwkHandle, name: Uint8Array, value: Uint8Array): void;
  /** The local time zone: rows of two numbers, from when (seconds) local time is ahead by how much; names end in NUL. */
  zone(handle: AwkHandle, changes: Uint8Array, names: Uint8Array): void;
  /** Throws, uncatchably, when the host interrupts. */
  run(handle: AwkHandle): number;
  request(handle: AwkHandle): [mode: number, stream: number, text: Uint8Array];
  opened(handle: AwkHandle, reason: string | undefined, isFolder: boolean): void;
  /** Answers `read`; nothing means the end. */
  feed(handle: AwkHandle, bytes: Uint8Array): void;
  /** Answers `close` and `system`. */
  reply(handle: AwkHandle, status: number): void;
  status(handle: AwkHandle): number;
  free(handle: AwkHandle): void;
}
