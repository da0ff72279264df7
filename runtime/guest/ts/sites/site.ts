/** What is found in a script: the places where it calls tools, or might. */

import type { ToolTable } from "../bridge/tools";
import type { Schema } from "../shell/builtins/tool_arguments";
import type { Path, Value } from "./value";

/** A place in the script: offsets of its first character and of the one behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a piece of text that is analysed came from: its offsets to those of the whole script. */
export type Origin = (offset: number) => number;

export const HERE: Origin = (offset) => offset;

export interface Site extends Span {
  /** The tool's path, or the name as it was written where there is no such tool; undefined if only a run can tell. */
  readonly tool: string | undefined;
  /** What is known of the arguments; undefined: nothing. */
  readonly argument: Value | undefined;
  /** What the name in the script means is not the tool: something of the script has that name. */
  readonly shadowed?: boolean;
  /** Why the call always fails before it reaches the tool. */
  readonly fault?: string;
  /** What else there is to say. */
  readonly note?: string;
}

/** The sites of one request, whatever they are nested in. */
export interface Finding {
  readonly tools: ToolTable;
  /** The schema of a tool's parameters; undefined if it is not known. */
  schema(path: string): Schema | undefined;
  add(site: Site): void;
  /** Another language's script within this one. */
  nested(language: "javascript" | "shell", text: string, origin: Origin, doubt?: Doubt): void;
}

/** Why nothing of a script is sure: said of each of its sites. */
export interface Doubt {
  readonly note: string;
}

/** A script that cannot be parsed. */
export class ScriptFault extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

export type { Path };
