/**
 * Expressions as instructions for c/shell/arithmetic.h, which works out in one call what is plain: variables and
 * parameters that hold a number each. Everything else it leaves to the usual way.
 */

import { native, type ProgramHandle } from "../../../bridge/native";
import type { Expression, Part } from "../../syntax/ast";
import { isVariable } from "../parameter/source";

/** What `runProgram` takes, with the scope's variables and parameters; it gives undefined where all else has to be done. */
export type Program = ProgramHandle;
export const runProgram = native.shell.run;

/** As numbered in C. */
const PUSH = 0;
const LOAD = 1;
const STORE = 2;
const DROP = 3;
const JUMP = 4;
const JUMP_IF_ZERO = 5;
const NEGATE = 6;
const COMPLEMENT = 7;
const NOT = 8;
const BINARY: Readonly<Record<string, number>> = {
  "+": 9, "-": 10, "*": 11, "/": 12, "%": 13, "**": 14, "<<": 15, ">>": 16, "&": 17, "|": 18, "^": 19,
  "<": 20, ">": 21, "<=": 22, ">=": 23, "==": 24, "!=": 25,
};
const UNARY = { "+": undefined, "-": NEGATE, "~": COMPLEMENT, "!": NOT } as const;

const INSTRUCTIONS_MOST = 64;
const PLACES_MOST = 16;

const LOADED = 1;
const STORED = 2;

/** Thrown where an expression is nothing for instructions. */
const UNFIT = {};

/** `split`: its expansions stand where they would be split into fields. */
export function compileProgram(tree: Expression, split = false): Program | undefined {
  const assembly = new Assembly();
  try {
    assembly.add(tree);
  } catch (error) {
    if (error === UNFIT) return undefined;
    throw error;
  }
  return assembly.finish(split);
}

class Assembly {
  private readonly code: number[] = [];
  private readonly constants: number[] = [];
  private readonly places: (string | number)[] = [];
  private readonly uses: number[] = [];
  /** Places of variables by name; those of expansions are their own, as they are read before anything is assigned. */
  private readonly variables = new Map<string, number>();
  /** Each costs an instruction or so: trees with more are left early, before they take the stack. */
  private nodes = 0;

  finish(split: boolean): ReturnType<typeof native.shell.program> | undefined {
    const { code, constants, places, uses } = this;
    const fits = code.length <= 2 * INSTRUCTIONS_MOST && places.length <= PLACES_MOST;
    return fits ? native.shell.program(code, constants, places, uses, split) : undefined;
  }

  /** Instructions that leave the expression's value on the stack. */
  add(tree: Expression): void {
    if (++this.nodes > INSTRUCTIONS_MOST) throw UNFIT;
    switch (tree.kind) {
      case "number":
        return this.push(tree.value);
      case "variable":
        return this.emit(LOAD, this.variable(tree, LOADED));
      case "part":
        return this.emit(LOAD, this.part(tree.part));
      case "unary":
        return this.unary(tree);
      case "binary":
        return this.binary(tree);
      case "step":
        return this.step(tree);
      case "assign":
        return this.assign(tree);
      case "condition":
        return this.choose(tree.test, () => this.add(tree.yes), () => this.add(tree.no));
      case "comma":
        this.add(tree.left);
        this.emit(DROP);
        return this.add(tree.right);
    }
  }

  private emit(operation: number, argument = 0): void {
    this.code.push(operation, argument);
  }

  private push(value: number | bigint): void {
    if (typeof value !== "number") throw UNFIT;
    this.emit(PUSH, this.constants.push(value) - 1);
  }

  private variable(tree: Expression, use: number): number {
    if (tree.kind !== "variable" || tree.subscript !== undefined) throw UNFIT;
    let place = this.variables.get(tree.name);
    if (place === undefined) this.variables.set(tree.name, (place = this.place(tree.name, 0)));
    this.uses[place]! |= use;
    return place;
  }

  private part(part: Part): number {
    if (part.kind !== "parameter" || part.operation || part.subscript || part.indirect || part.length) throw UNFIT;
    if (isVariable(part.name)) return this.place(part.name, LOADED);
    if (!/^[1-9]\d*$/.test(part.name)) throw UNFIT;
    return this.place(Number(part.name) - 1, LOADED);
  }

  private place(name: string | number, use: number): number {
    this.uses.push(use);
    return this.places.push(name) - 1;
  }

  private unary({ operator, operand }: Extract<Expression, { kind: "unary" }>): void {
    this.add(operand);
    const operation = UNARY[operator];
    if (operation !== undefined) this.emit(operation);
  }

  private binary({ operator, left, right }: Extract<Expression, { kind: "binary" }>): void {
    if (operator === "&&") return this.choose(left, () => this.truth(right), () => this.push(0));
    if (operator === "||") return this.choose(left, () => this.push(1), () => this.truth(right));
    this.add(left);
    this.add(right);
    this.operate(operator);
  }

  private operate(operator: string): void {
    const operation = BINARY[operator];
    if (operation === undefined) throw UNFIT;
    this.emit(operation);
  }

  /** 1 or 0. */
  private truth(tree: Expression): void {
    this.add(tree);
    this.emit(NOT);
    this.emit(NOT);
  }

  private choose(test: Expression, yes: () => void, no: () => void): void {
    this.add(test);
    const toNo = this.jump(JUMP_IF_ZERO);
    yes();
    const toEnd = this.jump(JUMP);
    this.land(toNo);
    no();
    this.land(toEnd);
  }

  /** A jump to where `land` says; returns what to give to that. */
  private jump(operation: number): number {
    this.emit(operation);
    return this.code.length - 1;
  }

  private land(jump: number): void {
    this.code[jump] = this.code.length / 2;
  }

  private step({ operator, prefix, target }: Extract<Expression, { kind: "step" }>): void {
    const place = this.variable(target, LOADED | STORED);
    if (!prefix) this.emit(LOAD, place);
    this.emit(LOAD, place);
    this.push(1);
    this.operate(operator === "++" ? "+" : "-");
    this.emit(STORE, place);
    if (!prefix) this.emit(DROP);
  }

  private assign({ operator, target, value }: Extract<Expression, { kind: "assign" }>): void {
    const place = this.variable(target, operator === "" ? STORED : LOADED | STORED);
    if (operator !== "") this.emit(LOAD, place);
    this.add(value);
    if (operator !== "") this.operate(operator);
    this.emit(STORE, place);
  }
}
