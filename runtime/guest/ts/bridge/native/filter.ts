/** Commands that chew bytes (c/filters/, c/diff/). */

/** What c/diff/ finds: lines are counted from 0, and `left` and `right` tell where they begin, and the length. */
export interface LineChanges {
  /** `[first left, count left, first right, count right, …]` */
  readonly changes: Uint32Array;
  readonly left: Uint32Array;
  readonly right: Uint32Array;
}

export interface NativeDiff {
  /** Nothing when the host interrupts; `flags` as in c/diff/diff.h; `horizon`: lines of the same start and end that take part in the comparison. */
  compare(left: Uint8Array, right: Uint8Array, flags: number, horizon: number): LineChanges | undefined;
}

/** A running filter of c/filters/. */
export interface FilterHandle {
  readonly filter: unique symbol;
}

/** What a filter's call ended with: it wants more input, has more output, or needs no more input. */
export const FilterState = { more: 0, full: 1, done: 2, interrupted: -1 } as const;

export interface NativeFilter {
  create(name: string, options: Readonly<Record<string, unknown>>): FilterHandle;
  /** Options of the next file. */
  configure(handle: FilterHandle, options: Readonly<Record<string, unknown>>): void;
  feed(handle: FilterHandle, bytes: Uint8Array): number;
  end(handle: FilterHandle, moreFiles: boolean): number;
  /** What the last call left for the output. */
  output(handle: FilterHandle): Uint8Array | undefined;
  report(handle: FilterHandle): unknown;
}
