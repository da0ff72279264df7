/** What is found in a script: the places where it calls tools, or might. */

import type { ToolTable } from "../bridge/tools";
import type { Parameters } from "../shell/builtins/tool_schema";
import type { Value } from "./value";

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
  /** A tool's parameters; undefined if they are not known. */
  parameters(path: string): Parameters | undefined;
  add(site: Site): void;
  /** Looks at a script within this one. */
  look(script: Script): void;
}

export interface Script {
  readonly language: "javascript" | "shell";
  readonly text: string;
  readonly origin: Origin;
  /** Why nothing in it is sure, for a reason that lies around it. */
  readonly doubt?: Doubt | undefined;
  /** How many values that are not known are put into the text, each a HOLE in it. */
  readonly holes?: number;
  /** It is in a text of the script: that it cannot be parsed shows when it is run. */
  readonly isNested?: boolean;
}

/** Stands in a shell script for words that JavaScript puts there, quoted. */
export const HOLE = "\ue000";

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
