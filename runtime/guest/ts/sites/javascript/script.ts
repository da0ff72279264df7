/** A script in JavaScript: parsed, its names resolved, its calls found. */

import type { Finding, Script } from "../site";
import { Calls } from "./calls";
import { doubtOf } from "./doubt";
import { Evaluator } from "./evaluate";
import type { Any } from "./nodes";
import { parseScript } from "./parse";
import { Scopes } from "./scope";

/** Throws ScriptFault for what does not parse; its offset is in this script's text. */
export function lookAtJavaScript({ text, origin, doubt }: Script, filename: string, finding: Finding): void {
  const { program, origin: back } = parseScript(text, filename);
  const evaluator = new Evaluator(new Scopes(program as Any), finding.tools);
  const place = (offset: number): number => origin(back(offset));
  new Calls(evaluator, finding, place, doubt ?? doubtOf(evaluator, program as Any)).find(program as Any);
}
