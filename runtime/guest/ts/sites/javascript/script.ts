/** A script in JavaScript: parsed, its names resolved, its calls found. */

import type { Finding, Script } from "../site";
import { Calls } from "./calls";
import { doubtOf } from "./doubt";
import { Evaluator } from "./evaluate";
import { Intact } from "./intact";
import type { Any } from "./nodes";
import { parseScript } from "./parse";
import { Scopes } from "./scope";

/** Throws ScriptFault for what does not parse; its offset is in this script's text. */
export function lookAtJavaScript({ text, origin, doubt }: Script, filename: string, finding: Finding): void {
  const { program: parsed, origin: back } = parseScript(text, filename);
  const program = parsed as Any;
  const evaluator = new Evaluator(new Scopes(program), finding.tools);
  const place = (offset: number): number => origin(back(offset));
  new Calls(evaluator, finding, place, doubt ?? doubtOf(evaluator, program), new Intact(evaluator, program)).find(program);
}
