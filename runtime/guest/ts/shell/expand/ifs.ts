/** The characters that end fields. */

import type { Scope } from "./scope";
import { unitsOf } from "./units";

/** What a character is to word splitting. */
export const TEXT = 0;
export const SPACE = 1;
export const MARK = 2;

const DEFAULT = " \t\n";

export class Separators {
  /** By UTF-16 unit below 128: TEXT, SPACE (runs of it count once) or MARK (each ends a field). */
  private readonly ascii = new Uint8Array(128);
  private readonly others = new Set<number>();
  readonly empty: boolean;
  /** The usual ones, blank, tab and newline. */
  readonly blanks: boolean;

  constructor(readonly text: string) {
    this.empty = text === "";
    this.blanks = text === DEFAULT;
    for (let index = 0; index < text.length; index += 1) this.add(text.charCodeAt(index), DEFAULT.includes(text[index]!));
  }

  kind(unit: number): number {
    if (unit < 128) return this.ascii[unit]!;
    return this.others.has(unit) ? MARK : TEXT;
  }

  private add(unit: number, white: boolean): void {
    if (unit < 128) this.ascii[unit] = white ? SPACE : MARK;
    else this.others.add(unit);
  }
}

let current = new Separators(DEFAULT);

/** What IFS says now. */
export function separators(scope: Scope): Separators {
  const text = unitsOf(scope, scope.variables.get("IFS") ?? DEFAULT);
  return text === current.text ? current : (current = new Separators(text));
}

/** What stands between the values of `"$*"`. */
export function joiner(scope: Scope): string {
  const text = scope.variables.get("IFS");
  if (text === undefined) return " ";
  const first = unitsOf(scope, text).codePointAt(0);
  return first === undefined ? "" : String.fromCodePoint(first);
}
