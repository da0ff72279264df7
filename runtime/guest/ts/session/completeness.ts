/** Whether a text is a whole line, or the beginning of one, by the parsers that would run it. */

import { type LineFault, type Realm, native } from "../bridge/native";
import { compileAdapted, rewriteImportsOf, stripTypesOf } from "../loader/compile";
import { SyntaxFault } from "../shell/syntax/errors";
import { isIncomplete, parseAll } from "../shell/syntax/parser";
import type { Shell } from "../shell/run/shell";
import { closing } from "./complete/tokens";

export type Completeness = "complete" | "incomplete" | "invalid";

const FILE = "repl";
/** Faults that the parser finds when it has read on: no further text mends them. */
const MEANT = /must be|redecl|duplicate|already|undefined label|assignment|left-hand|illegal|strict mode|not allowed|more than one/i;
const OPEN_STRING = /end of string|end of input/i;

/** `realm` only lends its parser. */
export function scriptCompleteness(realm: Realm, text: string): Completeness {
  if (text.trim() === "") return "complete";
  const faults = faultsOf(realm, text);
  if (faults.some(isUnfinished)) return "incomplete";
  if (faults.length === 0 || isTypeScript(realm, text)) return "complete";
  return endsTooSoon(text) || couldGoOn(realm, text) ? "incomplete" : "invalid";
}

/** Nothing for what is JavaScript in one way or the other. */
function faultsOf(realm: Realm, text: string): LineFault[] {
  const asObject = /^\s*\{/.test(text) ? [native.realm.line(realm, text, FILE, true, true)] : [];
  const all = [...asObject, native.realm.line(realm, text, FILE, false, true)];
  return all.includes(undefined) ? [] : (all as LineFault[]);
}

/** Whether it compiles once its imports are rewritten, or its types gone. */
function isTypeScript(realm: Realm, text: string): boolean {
  return compiles(() =>
    compileAdapted(
      text,
      FILE,
      (adapted) => {
        const fault = native.realm.line(realm, adapted.text, FILE, false, true);
        if (fault) throw new SyntaxError(fault[0]);
      },
      true,
    ),
  );
}

/** Whether the parser of imports, or of types, gave up behind the last word. */
function endsTooSoon(text: string): boolean {
  return [rewriteImportsOf, stripped].some((parse) => {
    try {
      parse(text);
      return false;
    } catch (error) {
      return endsAt(error, text);
    }
  });
}

const stripped = (text: string): string => stripTypesOf(text, FILE, true);

/** Whether it compiles with something behind it: parsers give up early where they must look ahead. */
function couldGoOn(realm: Realm, text: string): boolean {
  const rest = closing(text);
  return [`${rest} = 0`, ` 0${rest}`].some((more) => faultsOf(realm, text + more).length === 0 || isTypeScript(realm, text + more));
}

function compiles(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

function isUnfinished([message, atEnd, rest]: LineFault): boolean {
  if (atEnd) return !MEANT.test(message);
  if (/end of comment/.test(message)) return true;
  if (!OPEN_STRING.test(message)) return false;
  return /^[`}]/.test(rest) || /^(["'])(?:(?!\1)[^\\\n]|\\[^])*\\\n?$/.test(rest);
}

/** Whether an error of acorn's or sucrase's lies behind the last word. */
function endsAt(error: unknown, text: string): boolean {
  const { loc, pos } = error as { loc?: { line: number; column: number }; pos?: number };
  return loc !== undefined && pos !== undefined && pos >= text.trimEnd().length;
}

export function shellCompleteness(shell: Shell | undefined, text: string): Completeness {
  const options = { aliases: shell?.aliases, extglob: shell?.options.has("extglob") ?? false };
  if (/\\\n?$/.test(text) && isComment(text)) return "complete";
  if (isIncomplete(text, options)) return "incomplete";
  try {
    parseAll(text, options);
    return "complete";
  } catch (error) {
    if (error instanceof SyntaxFault) return "invalid";
    throw error;
  }
}

/** Whether the text ends in a comment: there a quote opens nothing. */
function isComment(text: string): boolean {
  return !isIncomplete(`${text.replace(/\\\n?$/, "")}'`, {});
}
