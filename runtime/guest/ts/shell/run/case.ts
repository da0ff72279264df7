/** case. */

import { compilePattern, type Pattern } from "../expand/pattern";
import { unitsOf } from "../expand/units";
import { compileString } from "../expand/word";
import { type Maybe, then, waits } from "../io/maybe";
import type { Case, List, Part, Word } from "../syntax/ast";
import type { Code } from "./code";
import { compileList } from "./list";
import type { Shell } from "./shell";
import { traceHead } from "./trace";

export function compileCase(node: Case): Code {
  const { word, clauses, position } = node;
  const subject = compileString(word);
  const patterns = clauses.map((clause) => clause.patterns.map(compileMatch));
  const bodies: readonly Code[] = clauses.map(({ body }: { body: List }) => compileList(body));

  const matches = (shell: Shell, text: string, index: number, from: number): Maybe<boolean> => {
    const alternatives = patterns[index]!;
    for (let at = from; at < alternatives.length; at += 1) {
      const found = alternatives[at]!(shell, text);
      if (waits(found)) return found.then((hit) => hit || matches(shell, text, index, at + 1));
      if (found) return true;
    }
    return false;
  };
  const enter = (shell: Shell, text: string, index: number): Maybe<number> =>
    then(bodies[index]!(shell), (status) => {
      const { end } = clauses[index]!;
      if (end === ";;" || index + 1 >= clauses.length) return status;
      return end === ";&" ? enter(shell, text, index + 1) : search(shell, text, index + 1, status);
    });
  const search = (shell: Shell, text: string, from: number, otherwise: number): Maybe<number> => {
    for (let index = from; index < clauses.length; index += 1) {
      const found = matches(shell, text, index, 0);
      if (waits(found)) return found.then((hit) => (hit ? enter(shell, text, index) : search(shell, text, index + 1, otherwise)));
      if (found) return enter(shell, text, index);
    }
    return otherwise;
  };
  return (shell) => {
    shell.line = position.line;
    if (shell.tracing) traceHead(shell, node);
    const text = subject(shell);
    return waits(text) ? text.then((late) => search(shell, unitsOf(shell, late), 0, 0)) : search(shell, unitsOf(shell, text), 0, 0);
  };
}

/** Whether a text fits the pattern that a word comes to. One that is written out is compiled once for the options and locale there are. */
function compileMatch(word: Word): (shell: Shell, text: string) => Maybe<boolean> {
  const read = compileString(word, "pattern");
  if (!word.parts.every(isWrittenOut)) {
    return (shell, text) => then(read(shell), (source) => compilePattern(unitsOf(shell, source), shell.options).test(text));
  }
  let options: ReadonlySet<string> | undefined;
  const plain = word.parts.every(isAscii);
  let bytewise = false;
  let pattern: Pattern | undefined;
  return (shell, text) => {
    if (options !== shell.options || (!plain && bytewise !== shell.variables.bytewise)) {
      pattern = compilePattern(unitsOf(shell, read(shell) as string), shell.options);
      options = shell.options;
      bytewise = shell.variables.bytewise;
    }
    return pattern!.test(text);
  };
}

/** Whether the locale makes no difference to what is written out. */
function isAscii(part: Part): boolean {
  return part.kind === "double" ? part.parts.every(isAscii) : part.kind === "literal" && !/[^\x00-\x7f]/.test(part.text);
}

function isWrittenOut(part: Part): boolean {
  return part.kind === "double" ? part.parts.every(isWrittenOut) : part.kind === "literal" && (part.quoted || !part.text.startsWith("~"));
}
