/** Words of declaration builtins: `declare x=$y`, whose value is not split, and `local x=…`, which functions are full of. */

import { assignArray, expandArray } from "../expand/assign";
import { expandBraces, isBraced } from "../expand/braces";
import { isAssociative } from "../expand/elements";
import { compileFields } from "../expand/fields";
import { literalOf } from "../expand/literal";
import { compileSpelled } from "../expand/references";
import { compileAssignment, compileString } from "../expand/word";
import { each, then, type Maybe } from "../io/maybe";
import type { Assignment, DeclaredAssignment, Simple, Word } from "../syntax/ast";
import { declaredName } from "./references";
import type { Shell } from "./shell";

export type Fields = (shell: Shell, fields: string[]) => Maybe<void>;

/** Arrays are put aside for the builtin, which is handed the text `name=(` in their place. */
export function declarationFields(words: Simple["words"]): Fields {
  const steps = words.map((word): Fields => (word.kind === "assignment" ? bracedField(word.assignment) : compileFields([word])));
  return (shell, fields) => {
    shell.declared = undefined;
    return each(steps, (step) => step(shell, fields));
  };
}

/** Words of `unset`, if an element is among them. */
export function spelledFields(words: readonly Word[]): Fields | undefined {
  const spelled = words.map(compileSpelled);
  if (spelled.every((each) => each === undefined)) return undefined;
  const steps = spelled.map((text, index): Fields => (text ? (shell, fields) => then(text(shell), (field) => void fields.push(field)) : compileFields([words[index]!])));
  return (shell, fields) => each(steps, (step) => step(shell, fields));
}

/** Unlike an assignment, `declare x={1,2}` is two words. */
function bracedField(assignment: Assignment): Fields {
  const { value } = assignment;
  const plain = declaredField(assignment);
  if (value.kind === "array" || !isBraced(value)) return plain;
  const steps = expandBraces(value).map((item) => (typeof item === "function" ? sequence(assignment.name, item) : declaredField({ ...assignment, value: { ...value, parts: item } })));
  return (shell, fields) => (shell.options.has("braceexpand") ? each(steps, (step) => step(shell, fields)) : plain(shell, fields));
}

/** `declare x={1..3}` */
function sequence(name: string, values: (shell: Shell, fields: string[]) => Maybe<void>): Fields {
  return (shell, fields) => {
    const texts: string[] = [];
    return then(values(shell, texts), () => {
      for (const text of texts) fields.push(`${name}=${text}`);
    });
  };
}

/** An option of `declare`. */
const MAKES_ASSOCIATIVE = /^-[A-Za-z]*A/;

function declaredField(assignment: Assignment): Fields {
  const { name, subscript, append, value } = assignment;
  const operator = append ? "+=" : "=";
  if (value.kind === "array") {
    return (shell, fields) =>
      then(shell.tracing ? expandArray(shell, value, isAssociative(shell, name) || fields.some((field) => MAKES_ASSOCIATIVE.test(field))) : undefined, (items) => {
        (shell.declared ??= []).push({ name, append, value, items });
        fields.push(`${name}${operator}(`);
      });
  }
  const text = compileAssignment(value);
  const key = subscript?.kind === "index" ? compileString(subscript.text) : undefined;
  const place = subscript?.kind === "all" ? `${name}[${subscript.joined}]` : name;
  return (shell, fields) =>
    then(key ? key(shell) : "", (index) =>
      then(text(shell), (result) => {
        fields.push(`${key ? `${name}[${index}]` : place}${operator}${result}`);
      }),
    );
}

/** One operand of a plain `local`. */
interface Local {
  readonly name: string;
  readonly value: ((shell: Shell) => Maybe<string>) | undefined;
}

const NAME = /^[A-Za-z_]\w*$/;

/** `local a b=$1`, without options, subscripts and arrays: done without being spelled out and read again. */
export function compileLocals([, ...rest]: Simple["words"]): ((shell: Shell) => Maybe<void>) | undefined {
  const locals = rest.map(localOf);
  if (!locals.every((each) => each !== undefined)) return undefined;
  const [only] = locals;
  if (only === undefined) return undefined;
  return locals.length === 1 && only.value ? declareOne(only.name, only.value) : (shell) => declareAll(shell, locals);
}

/** `declare x=1` outside functions, where `x` is new or a plain text: an assignment. */
export interface Global {
  fits(shell: Shell): boolean;
  assign(shell: Shell): Maybe<void>;
}

export function compileGlobal([, word, ...more]: Simple["words"]): Global | undefined {
  const only = word && more.length === 0 ? localOf(word) : undefined;
  if (!only?.value) return undefined;
  const { name, value } = only;
  return {
    fits(shell) {
      const known = shell.variables.own(name);
      return known === undefined || (known.bits === 0 && typeof known.value === "string");
    },
    assign: (shell) =>
      then(value(shell), (text) => {
        shell.lastArgument = `${name}=${text}`;
        return shell.assign(name, text);
      }),
  };
}

function declareOne(name: string, value: (shell: Shell) => Maybe<string>): (shell: Shell) => Maybe<void> {
  return (shell) => {
    const text = value(shell);
    if (typeof text !== "string") return text.then((late) => storeLocal(shell, name, late));
    if (!shell.variables.assignLocal(name, text)) return storeLocal(shell, name, text);
    shell.lastArgument = `${name}=${text}`;
  };
}

/** All values are expanded before the first name is local. */
function declareAll(shell: Shell, locals: readonly Local[]): Maybe<void> {
  const texts: (string | undefined)[] = [];
  const read = ({ value }: Local): Maybe<void> => then(value?.(shell), (text) => void texts.push(text));
  return then(each(locals, read), () =>
    each(locals, ({ name }, index) => {
      const text = texts[index];
      if (text !== undefined) return storeLocal(shell, name, text);
      shell.variables.local(declaredName(shell, name, true));
      shell.lastArgument = name;
    }),
  );
}

function localOf(word: Word | DeclaredAssignment): Local | undefined {
  if (word.kind === "word") {
    const name = plainText(word);
    return name !== undefined && NAME.test(name) ? { name, value: undefined } : undefined;
  }
  const { name, subscript, append, value } = word.assignment;
  return subscript || append || value.kind === "array" || isBraced(value) ? undefined : { name, value: compileAssignment(value) };
}

function plainText({ parts }: Word): string | undefined {
  const [part] = parts;
  return parts.length === 1 && part?.kind === "literal" && !part.quoted ? part.text : undefined;
}

function storeLocal(shell: Shell, spelled: string, text: string): Maybe<void> {
  const name = declaredName(shell, spelled, true);
  const variable = shell.variables.local(name);
  shell.lastArgument = `${spelled}=${text}`;
  const list = typeof variable.value === "object" ? literalOf(text) : undefined;
  if (list) return assignArray(shell, name, list, false);
  if (variable.special || typeof variable.value === "object") return shell.assign(name, text);
  variable.value = text;
}
