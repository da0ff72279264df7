/**
 * What the parser makes of a script. Everything is plain data, so that functions can be printed, sites can be listed and
 * trees can be compared; nothing here is evaluated.
 *
 * Texts are JavaScript strings in which a byte that is no valid UTF-8 is the lone surrogate U+DC00 + byte (native.text).
 */

import type { SyntaxFault } from "./errors";

/** Both count from 1; columns in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Commands one after the other. */
export type List = readonly Item[];

export interface Item {
  readonly command: AndOr;
  /** Ended by `&`. */
  readonly background: boolean;
}

export interface AndOr {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly pipeline: Pipeline }[];
}

export interface Pipeline {
  readonly negated: boolean;
  readonly timed: "" | "time" | "time -p";
  readonly commands: readonly Command[];
  /** For each command but the last, whether `|&` follows it. */
  readonly both: readonly boolean[];
  readonly position: Position;
}

export type Command =
  | Simple
  | Subshell
  | Group
  | If
  | While
  | For
  | ArithmeticFor
  | Select
  | Case
  | ArithmeticCommand
  | Conditional
  | FunctionDefinition
  | Coprocess;

interface Node {
  readonly position: Position;
  /** In the order in which they are written; for a function they are part of the definition. */
  readonly redirections: readonly Redirection[];
}

export interface Simple extends Node {
  readonly kind: "simple";
  readonly assignments: readonly Assignment[];
  /** A word after a declaration builtin (declare, local, export, readonly, typeset) may be an Assignment with an array or any value. */
  readonly words: readonly (Word | DeclaredAssignment)[];
  /** The line that it counts as, where a text of several lines makes that another than the one that it begins on. */
  readonly line?: number;
}

/** `name=value` as an argument of a declaration builtin: expanded as an assignment, not split. */
export interface DeclaredAssignment {
  readonly kind: "assignment";
  readonly assignment: Assignment;
}

export interface Assignment {
  readonly name: string;
  /** `name[subscript]=`. */
  readonly subscript?: Subscript | undefined;
  /** `+=`. */
  readonly append: boolean;
  readonly value: Word | ArrayLiteral;
  readonly position: Position;
}

export interface ArrayLiteral {
  readonly kind: "array";
  readonly elements: readonly ArrayElement[];
}

export interface ArrayElement {
  /** `[key]=value` or `[key]+=value`. */
  readonly key?: Subscript | undefined;
  readonly append: boolean;
  readonly value: Word;
}

export interface Subshell extends Node {
  readonly kind: "subshell";
  readonly body: List;
}

export interface Group extends Node {
  readonly kind: "group";
  readonly body: List;
}

export interface If extends Node {
  readonly kind: "if";
  readonly branches: readonly { readonly condition: List; readonly body: List }[];
  readonly otherwise?: List | undefined;
}

export interface While extends Node {
  readonly kind: "while";
  readonly until: boolean;
  readonly condition: List;
  readonly body: List;
}

export interface For extends Node {
  readonly kind: "for";
  readonly name: string;
  /** Without `in`: the positional parameters. */
  readonly words?: readonly Word[] | undefined;
  readonly body: List;
}

export interface ArithmeticFor extends Node {
  readonly kind: "arithmetic for";
  readonly start?: Arithmetic | undefined;
  readonly condition?: Arithmetic | undefined;
  readonly step?: Arithmetic | undefined;
  readonly body: List;
}

export interface Select extends Node {
  readonly kind: "select";
  readonly name: string;
  readonly words?: readonly Word[] | undefined;
  readonly body: List;
}

export interface Case extends Node {
  readonly kind: "case";
  readonly word: Word;
  readonly clauses: readonly CaseClause[];
}

export interface CaseClause {
  readonly patterns: readonly Word[];
  readonly body: List;
  /** `;&` goes on with the next body, `;;&` with the next patterns. */
  readonly end: ";;" | ";&" | ";;&";
}

export interface ArithmeticCommand extends Node {
  readonly kind: "arithmetic";
  readonly expression: Arithmetic;
}

export interface Conditional extends Node {
  readonly kind: "conditional";
  readonly test: Test;
}

export interface FunctionDefinition extends Node {
  readonly kind: "function";
  readonly name: string;
  /** With its own redirections; those of the definition are `redirections` of that command. */
  readonly body: Command;
}

export interface Coprocess extends Node {
  readonly kind: "coprocess";
  readonly name: string;
  readonly body: Command;
}

/** What `[[ … ]]` tests; `grouped` if it stands in parentheses of its own. */
export type Test = (
  | { readonly kind: "and" | "or"; readonly left: Test; readonly right: Test }
  | { readonly kind: "not"; readonly operand: Test }
  /** `-f`, `-z` and the like. */
  | { readonly kind: "unary"; readonly operator: string; readonly operand: Word }
  /** `==` (also for `=`, which is then `written`), `!=`, `=~`, `<`, `>`, `-eq`, `-nt` … */
  | { readonly kind: "binary"; readonly operator: string; readonly left: Word; readonly right: Word; readonly written?: string }
  /** A lone word: not empty. */
  | { readonly kind: "word"; readonly word: Word }
) & { readonly grouped?: boolean };

export interface Redirection {
  readonly operator: "<" | ">" | ">>" | ">|" | "<>" | "&>" | "&>>" | "<&" | ">&" | "<<<" | "<<";
  /** The number or `{name}` in front; undefined for the operator's own default. */
  readonly descriptor: number | { readonly variable: string } | undefined;
  /** For `<<` the document, already free of the tabs that `<<-` drops. */
  readonly target: Word;
  /** For printing a function: the delimiter as written, and whether it was `<<-`. */
  readonly delimiter?: { readonly text: string; readonly strip: boolean } | undefined;
  readonly position: Position;
}

/** A word before any expansion; empty parts make the empty string only when one of them is quoted. */
export interface Word {
  readonly kind: "word";
  readonly parts: readonly Part[];
  /** As written. */
  readonly source: string;
  readonly position: Position;
}

export type Part = Literal | DoubleQuoted | Parameter | CommandSubstitution | ArithmeticExpansion | ProcessSubstitution;

export interface Literal {
  readonly kind: "literal";
  readonly text: string;
  /** From quotes or behind a backslash: no brace, tilde, pattern or splitting in it. `''` is a quoted empty literal. */
  readonly quoted: boolean;
}

/** `"…"`; its literals are quoted. */
export interface DoubleQuoted {
  readonly kind: "double";
  readonly parts: readonly Part[];
}

export interface Parameter {
  readonly kind: "parameter";
  /** A variable's name, a position's digits, or one of `@*#?-$!0_`. */
  readonly name: string;
  readonly subscript?: Subscript | undefined;
  /** `${!name}`. */
  readonly indirect: boolean;
  /** `${#name}`. */
  readonly length: boolean;
  readonly operation?: Operation | undefined;
  /** As written, for messages: `${x:?}`. */
  readonly source: string;
}

/** What is between `[` and `]`: all elements, or an index (arithmetic for indexed arrays, a text for associative ones). */
export type Subscript =
  | { readonly kind: "all"; readonly joined: "@" | "*" }
  | { readonly kind: "index"; readonly text: Word; readonly expression: Arithmetic };

export type Operation =
  /** `-` `=` `?` `+`, with `:` also for the empty string. */
  | { readonly kind: "default" | "assign" | "error" | "alternate"; readonly empty: boolean; readonly word: Word }
  | { readonly kind: "remove"; readonly side: "prefix" | "suffix"; readonly longest: boolean; readonly pattern: Word }
  | { readonly kind: "replace"; readonly where: "first" | "all" | "prefix" | "suffix"; readonly pattern: Word; readonly replacement: Word | undefined }
  | { readonly kind: "slice"; readonly offset: Arithmetic; readonly length?: Arithmetic | undefined }
  | { readonly kind: "case"; readonly mode: "^" | "^^" | "," | ",," | "~" | "~~"; readonly pattern?: Word | undefined }
  | { readonly kind: "transform"; readonly operator: "Q" | "E" | "P" | "A" | "K" | "a" | "k" | "u" | "U" | "L" }
  /** `${!prefix@}`: names of variables. */
  | { readonly kind: "names"; readonly joined: "@" | "*" }
  /** `${!array[@]}`: keys. */
  | { readonly kind: "keys"; readonly joined: "@" | "*" }
  /** No substitution at all: "bad substitution" when it is expanded. */
  | { readonly kind: "bad" };

/** `$(…)` or `` `…` ``. */
export interface CommandSubstitution {
  readonly kind: "command";
  readonly body: List;
  /** What is wrong with the text between backticks: said when it is expanded, which then yields nothing. */
  readonly fault?: SyntaxFault | undefined;
  readonly source: string;
  readonly position: Position;
}

/** `$((…))` or `$[…]`. */
export interface ArithmeticExpansion {
  readonly kind: "arithmetic";
  readonly expression: Arithmetic;
}

/** `<(…)` or `>(…)`. */
export interface ProcessSubstitution {
  readonly kind: "process";
  readonly direction: "<" | ">";
  readonly body: List;
  readonly source: string;
  readonly position: Position;
}

/**
 * An arithmetic expression: its text is expanded as if in double quotes, then parsed (bash's order). When the text has no
 * expansion, or only expansions that stand where a whole operand can stand, `tree` is the parse made beforehand; a `part`
 * operand in it is usable when its value turns out to be a plain number, and else the text's way is taken.
 */
export interface Arithmetic {
  readonly text: Word;
  readonly tree?: Expression | undefined;
}

export type Expression =
  | { readonly kind: "number"; readonly value: number | bigint }
  | { readonly kind: "variable"; readonly name: string; readonly subscript?: Subscript | undefined }
  | { readonly kind: "part"; readonly part: Part }
  | { readonly kind: "unary"; readonly operator: "+" | "-" | "!" | "~"; readonly operand: Expression }
  | { readonly kind: "step"; readonly operator: "++" | "--"; readonly prefix: boolean; readonly target: Expression }
  /** `token` is the text from the right operand on, a NUL for each expansion, for messages. */
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression; readonly token?: string }
  | { readonly kind: "condition"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  /** `=`, `+=` … : `operator` is what stands before the `=`, or "". */
  | { readonly kind: "assign"; readonly operator: string; readonly target: Expression; readonly value: Expression }
  | { readonly kind: "comma"; readonly left: Expression; readonly right: Expression };
