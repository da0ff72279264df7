/** Quick ways of the shell's interpreter (c/shell/). */

import type { Variables } from "../../shell/run/variables";

/** Arithmetic compiled to instructions of c/shell/arithmetic.h. */
export interface ProgramHandle {
  readonly program: unique symbol;
}

/** Words compiled for c/shell/phrase.h. */
export interface PhraseHandle {
  readonly phrase: unique symbol;
}

export interface NativeShell {
  /** See expand/phrase.ts. */
  phrase(pieces: readonly (string | number)[]): PhraseHandle;
  /** The fields of its words; undefined where they have to be expanded in the usual way. */
  words(phrase: PhraseHandle, variables: Variables, positional: readonly string[]): string[] | undefined;
  /** The same of one word that is not split. */
  text(phrase: PhraseHandle, variables: Variables, positional: readonly string[]): string | undefined;
  /** The fields of a text where blanks separate them; undefined where it may hold patterns, or the host wants the run to end. */
  split(text: string): string[] | undefined;
  /** Puts `by` in place of each `wanted`; undefined where the host wants the run to end. */
  replace(text: string, wanted: string, by: string): string | undefined;
  /** Makes a name local to the innermost call, with a text; false, with nothing done, where it takes more than that. */
  local(variables: Variables, name: string, text: string): boolean;
  /** Ends the calls from that depth on, and gives back what their names hid; whether there were any. */
  leave(variables: Variables, depth: number): boolean;
  /** Gives a variable a text; false, with nothing done, where it takes more than that. */
  assign(variables: Variables, name: string, text: string): boolean;
  /** The same of a phrase's text. */
  put(phrase: PhraseHandle, variables: Variables, positional: readonly string[], name: string): boolean;
  /**
   * What `read` makes of the line at `from`: the bytes it takes, then its fields. Undefined for a line that needs more: without
   * an end before `to`, with NULs, or, unless `raw`, with backslashes.
   */
  fields(variables: Variables, bytes: Uint8Array, from: number, to: number, raw: boolean): [taken: number, ...fields: string[]] | undefined;
  /** The same into variables, the last of which gets the rest; only the bytes it takes. */
  read(variables: Variables, bytes: Uint8Array, from: number, to: number, raw: boolean, names: readonly string[]): number | undefined;
  /** See expand/arithmetic/program.ts. */
  program(code: readonly number[], constants: readonly number[], places: readonly (string | number)[], uses: readonly number[], split: boolean): ProgramHandle;
  /** The value; undefined where the expression has to be evaluated in the usual way. */
  run(program: ProgramHandle, variables: Variables, positional: readonly string[]): number | undefined;
}
