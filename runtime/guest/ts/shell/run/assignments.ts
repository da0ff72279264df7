/** Assignments in front of commands, and alone. */

import { native, type PhraseHandle } from "../../bridge/native";
import { compileProgram, runProgram } from "../expand/arithmetic/program";
import { assignArray, assignVariable, compileKey } from "../expand/assign";
import type { Key } from "../expand/elements";
import { compileTextPhrase } from "../expand/phrase";
import { dressed, exportText, storeElement } from "../expand/store";
import { tildeInAssignment } from "../expand/tilde";
import { compileAssignment } from "../expand/word";
import { each, then, type Maybe } from "../io/maybe";
import type { Arithmetic, Assignment, Subscript, Word } from "../syntax/ast";
import { printAssignment } from "../syntax/print-words";
import { ShellError } from "./errors";
import { declaredName } from "./references";
import type { Shell } from "./shell";
import { trace, traceAssignment } from "./trace";
import { undoing } from "./undoing";
import { Variable } from "./variables";

/** Does one assignment. */
export type Assign = (shell: Shell) => Maybe<void>;

/** `a[i]` as it is written. */
function placeOf(name: string, subscript: Subscript): string {
  return `${name}[${subscript.kind === "index" ? subscript.text.source : subscript.joined}]`;
}

export function compileAssign(assignment: Assignment): Assign {
  const { name, subscript, append, value, position } = assignment;
  if (value.kind === "array") {
    return (shell) => {
      shell.line = position.line;
      if (subscript) throw new ShellError(`${placeOf(name, subscript)}: cannot assign list to array member`);
      if (shell.tracing) trace(shell, printAssignment(assignment));
      return assignArray(shell, name, value, append);
    };
  }
  const [part] = value.parts;
  const computed = subscript === undefined && !append && value.parts.length === 1 && part!.kind === "arithmetic";
  if (computed) return assignArithmetic(name, part!.expression, compileText(name, value, append));
  return subscript === undefined ? compileText(name, value, append) : assignElement(name, subscript, value, append);
}

/** `i=$((i + 1))`: the number need not become a text and be read again. */
function assignArithmetic(name: string, { tree }: Arithmetic, general: Assign): Assign {
  const program = tree && compileProgram({ kind: "assign", operator: "", target: { kind: "variable", name }, value: tree });
  if (!program) return general;
  return (shell) => {
    const quick = !shell.tracing && !shell.exporting && runProgram(program, shell.variables, shell.positional) !== undefined;
    return quick ? undefined : general(shell);
  };
}

function compileText(name: string, value: Word, append: boolean): Assign {
  const text = compileAssignment(value);
  const store = (shell: Shell, result: string): Maybe<void> => {
    if (shell.tracing) traceAssignment(shell, name, append, result);
    const done = append ? assignVariable(shell, name, undefined, result, true) : shell.assign(name, result);
    return shell.exporting ? then(done, () => exportText(shell, name)) : done;
  };
  const general: Assign = (shell) => {
    const result = text(shell);
    if (typeof result !== "string") return result.then((late) => store(shell, late));
    if (!append && !shell.tracing && !shell.exporting && shell.variables.assign(name, result)) return undefined;
    return store(shell, result);
  };
  const phrase = append ? undefined : compileTextPhrase(tildeInAssignment(value.parts));
  return phrase ? assignPhrase(name, phrase, general) : general;
}

/** `x=$y`, `x="$dir/$name"`. */
function assignPhrase(name: string, phrase: PhraseHandle, general: Assign): Assign {
  return (shell) => {
    const quick = !shell.tracing && !shell.exporting && native.shell.put(phrase, shell.variables, shell.positional, name);
    return quick ? undefined : general(shell);
  };
}

/** `a[i]=text`; the value is expanded before the subscript. */
function assignElement(name: string, subscript: Subscript, value: Word, append: boolean): Assign {
  const text = compileAssignment(value);
  const key = compileKey(subscript);
  const written = placeOf(name, subscript);
  const store = (shell: Shell, place: Key, result: string): Maybe<void> => {
    const array = append || typeof place !== "number" || place < 0 ? undefined : shell.variables.plainArray(name);
    if (array) {
      array.bare = false;
      array.set(place as number, result);
    } else storeElement(shell, name, place, result, append);
    if (shell.exporting) exportText(shell, name);
  };
  return (shell) => {
    const result = text(shell);
    if (typeof result !== "string") return result.then((late) => then(key(shell, name), (place) => store(shell, place, late)));
    if (shell.tracing) traceAssignment(shell, written, append, result);
    const place = key(shell, name);
    return place instanceof Promise ? place.then((late) => store(shell, late, result)) : store(shell, place, result);
  };
}

/** A variable that only one command sees. */
export interface Temporary {
  readonly name: string;
  readonly value: (shell: Shell) => Maybe<string>;
  /** An element, which no command can be given. */
  readonly refused?: boolean;
}

/** Why a variable cannot be given to the command. */
function refusal(shell: Shell, { name, refused }: Temporary): string | undefined {
  if (refused) return `\`${name}': not a valid identifier`;
  return shell.variables.own(name)?.readonly ? `${name}: readonly variable` : undefined;
}

/** What cannot be given to the command is told of, and the command runs without it; in POSIX mode it does not run. */
function refuse(shell: Shell, { refused }: Temporary, message: string): void {
  if (refused) shell.warn(message);
  else if (shell.options.has("posix")) throw new ShellError(message);
  else shell.report(message);
}

export function temporary(assignment: Assignment): Temporary {
  const { name, subscript, value, append } = assignment;
  if (subscript) return { name: placeOf(name, subscript), value: () => "", refused: true };
  if (value.kind === "array") {
    const text = printAssignment(assignment).slice(name.length + (append ? 2 : 1));
    return { name, value: () => text };
  }
  const text = compileAssignment(value);
  return { name, value: append ? (shell) => then(text(shell), (tail) => appended(shell, name, tail)) : text };
}

/** What `name+=tail` comes to; to an integer it is added. */
function appended(shell: Shell, name: string, tail: string): string {
  const variable = shell.variables.find(name);
  return variable ? dressed(shell, variable, tail, variable.scalar ?? "") : tail;
}

/** In POSIX mode, what stands before a special builtin stays, exported. */
export function withAssignments(shell: Shell, environment: readonly Temporary[], work: () => Maybe<number>): Maybe<number> {
  const { variables } = shell;
  const keep = ({ name, refused }: Temporary, text: string): Maybe<void> =>
    then(shell.assign(name, text), () => {
      if (refused) return;
      variables.declare(variables.target(name)).exported = true;
      if (variables.locals.isGiven(name)) variables.locals.drop(name);
      variables.changed();
    });
  return then(
    each(environment, (one) => then(one.value(shell), (text) => keep(one, text))),
    work,
  );
}

export function withEnvironment(shell: Shell, environment: readonly Temporary[], work: () => Maybe<number>): Maybe<number> {
  const { variables } = shell;
  const outer = shell.temporary;
  shell.temporary = [];
  const restore = (): void => {
    for (const [name, variable] of shell.temporary!.reverse()) variables.replace(name, variable);
    shell.temporary = outer;
  };
  const assign = (each: Temporary): Maybe<void> =>
    then(each.value(shell), (text) => {
      const refused = refusal(shell, each);
      if (refused !== undefined) return refuse(shell, each, refused);
      const name = declaredName(shell, each.name, false);
      shell.temporary!.push([name, variables.own(name)]);
      if (shell.tracing) traceAssignment(shell, name, false, text);
      const variable = new Variable(text);
      variable.exported = true;
      variables.replace(name, variable);
    });
  return undoing(() => then(each(environment, assign), work), restore);
}

/** Around a function: the variables are like its own, so that it can unset them. */
export function withCallEnvironment(shell: Shell, environment: readonly Temporary[], work: () => Maybe<number>): Maybe<number> {
  const values = new Map<string, string>();
  const read = (each: Temporary): Maybe<void> =>
    then(each.value(shell), (text) => {
      const refused = refusal(shell, each);
      if (refused !== undefined) refuse(shell, each, refused);
      else {
        values.set(declaredName(shell, each.name, false), text);
        if (shell.tracing) traceAssignment(shell, each.name, false, text);
      }
    });
  return then(each(environment, read), () => {
    const depth = shell.variables.enterEnvironment(values);
    return undoing(work, () => shell.variables.leave(depth));
  });
}
