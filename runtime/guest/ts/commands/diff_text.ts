/** Two texts side by side: their lines, and the changes that make one of the other. */

import { native } from "../bridge/native";

const NEWLINE = 10;
const RETURN = 13;
/** Flags of c/diff/diff.h. */
export const DiffFlag = {
  ignoreCase: 1, ignoreAllSpace: 2, ignoreSpaceChange: 4, ignoreTrailingSpace: 8, stripReturn: 16, minimal: 32, ignoreTabExpansion: 64, ignoreOpenEnd: 128,
} as const;

export class Lines {
  constructor(
    private readonly bytes: Uint8Array,
    private readonly starts: Uint32Array,
  ) {}

  get count(): number {
    return this.starts.length - 1;
  }

  /** Without its end. */
  text(line: number): string {
    const end = this.starts[line + 1]!;
    return native.text.decode(this.bytes.subarray(this.starts[line]!, this.hasEnd(line) ? end - 1 : end));
  }

  hasEnd(line: number): boolean {
    return this.bytes[this.starts[line + 1]! - 1] === NEWLINE;
  }

  /** Its bytes but for the end are blanks; `width`: of a line with its end that has nothing else. */
  isEmpty(line: number): boolean {
    return this.starts[line + 1]! - this.starts[line]! === (this.hasEnd(line) ? 1 : 0);
  }
}

/** Lines from 0. */
export interface Change {
  readonly left: number;
  readonly leftCount: number;
  readonly right: number;
  readonly rightCount: number;
  /** Whether it is left out, unless others are close. */
  readonly ignored: boolean;
}

export interface Comparison {
  readonly left: Lines;
  readonly right: Lines;
  readonly changes: readonly Change[];
}

export function compareTexts(left: Uint8Array, right: Uint8Array, flags: number, horizon: number, ignores: (left: Lines, right: Lines, change: Change) => boolean): Comparison {
  const strip = flags & DiffFlag.stripReturn ? withoutReturns : (bytes: Uint8Array): Uint8Array => bytes;
  const [a, b] = [strip(left), strip(right)];
  const found = native.diff.compare(a, b, flags, horizon);
  if (!found) {
    native.host.poll();
    throw new Error("the comparison was interrupted");
  }
  const sides = [new Lines(a, found.left), new Lines(b, found.right)] as const;
  const changes: Change[] = [];
  for (let i = 0; i < found.changes.length; i += 4) {
    const [at, leftCount, to, rightCount] = found.changes.subarray(i, i + 4) as unknown as [number, number, number, number];
    const change = { left: at, leftCount, right: to, rightCount, ignored: false };
    changes.push({ ...change, ignored: ignores(sides[0], sides[1], change) });
  }
  return { left: sides[0], right: sides[1], changes };
}

function withoutReturns(bytes: Uint8Array): Uint8Array {
  const kept = bytes.slice();
  let to = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === RETURN && bytes[at + 1] === NEWLINE) continue;
    kept[to++] = bytes[at]!;
  }
  return kept.subarray(0, to);
}

/** Changes so close to each other that their contexts meet, in groups. */
export function* hunks(changes: readonly Change[], context: number): Generator<readonly Change[]> {
  let group: Change[] = [];
  for (const change of changes) {
    const last = group.at(-1);
    const reach = change.ignored ? context : 2 * context + 1;
    if (last && change.left - (last.left + last.leftCount) >= reach) {
      yield group;
      group = [];
    }
    group.push(change);
  }
  if (group.length > 0) yield group;
}
