/** Where completion leads: what the guest knows itself, and what only the host does. */

export type Candidate = readonly [text: string, kind: string, detail: string];

/** A place in a tool's arguments; what may stand there the tool's schema says, which the host has. */
export interface Slot {
  readonly tool: string;
  /** Keys that lead to the object, outermost first. */
  readonly path: readonly string[];
  /** The key whose value stands here; undefined where a key stands. */
  readonly key?: string | undefined;
  /** Keys that the object has. */
  readonly used: readonly string[];
  readonly prefix: string;
  /** An open quote in front of the prefix, or nothing. */
  readonly quote: string;
}

export interface Completed {
  /** Where the text that candidates take the place of begins, in UTF-16 units. */
  readonly start: number;
  readonly candidates: readonly Candidate[];
  readonly slot?: Slot;
}

export const nothing: Completed = { start: 0, candidates: [] };
