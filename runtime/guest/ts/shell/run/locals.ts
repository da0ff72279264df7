/** Names that are local to the functions that run, and what each hides. */

import { native } from "../../bridge/native";
import type { Variable } from "./variable";
import type { Variables } from "./variables";

/**
 * A call makes and drops a frame, so all frames share flat lists: a frame's names follow those of the call around it.
 * Depths count from 1, the outermost call. c/shell/locals.h works on the same lists.
 */
export class Locals {
  private names: string[] = [];
  /** The variable outside, put back when the function returns. */
  private hidden: (Variable | undefined)[] = [];
  /** Where each call's names begin. */
  starts: number[] = [];
  /** By depth, for frames around a call: the names that stood before it. */
  private environments: Map<number, ReadonlySet<string>> | undefined;

  /** Begins a frame; returns its depth. */
  enter(environment?: ReadonlySet<string>): number {
    const depth = this.starts.push(this.names.length);
    if (environment) (this.environments ??= new Map()).set(depth, environment);
    return depth;
  }

  /** Ends the frames from that depth on; what their names hid is given back, the last first. */
  leave(depth: number, variables: Variables): void {
    if (native.shell.leave(variables, depth)) variables.changed();
    if (this.environments) this.environments.forEach((_, each) => each >= depth && this.environments!.delete(each));
  }

  /** Drops the names of all calls, which go on without. */
  forget(variables: Variables): void {
    const depth = this.starts.length;
    if (depth > 0) this.leave(1, variables);
    while (this.starts.length < depth) this.enter();
  }

  /** Whether the innermost call has the name. */
  has(name: string): boolean {
    const { names, starts } = this;
    const start = starts[starts.length - 1] ?? names.length;
    for (let index = names.length - 1; index >= start; index -= 1) if (names[index] === name) return true;
    return false;
  }

  /** Whether any call has it. */
  hides(name: string): boolean {
    return this.names.includes(name);
  }

  /** The innermost call's names. */
  own(): string[] {
    return this.names.slice(this.starts[this.starts.length - 1] ?? this.names.length);
  }

  /** Adds a name to the innermost call, or says anew what it hides. */
  hide(name: string, variable: Variable | undefined): void {
    if (this.has(name)) this.hidden[this.names.lastIndexOf(name)] = variable;
    else this.push(name, variable);
  }

  /** As `hide`, of a name that the call does not have. */
  push(name: string, variable: Variable | undefined): void {
    this.names.push(name);
    this.hidden.push(variable);
  }

  /** Whether the name came with the innermost call as its environment. */
  given(name: string): boolean {
    return this.environments?.get(this.starts.length - 1)?.has(name) ?? false;
  }

  /** Whether what is seen by the name came with a call as its environment, be it local to that call now. */
  isGiven(name: string): boolean {
    if (!this.environments || !this.hides(name)) return false;
    const depth = this.depthOf(this.names.lastIndexOf(name));
    return [depth, depth - 1].some((each) => this.environments!.get(each)?.has(name));
  }

  /** What is seen by the name stays when the calls end. */
  drop(name: string): void {
    while (this.hides(name)) this.take(name);
  }

  /** Of the frame with the name at that place. */
  private depthOf(place: number): number {
    return this.starts.filter((start) => start <= place).length;
  }

  /** What the outermost call that has the name hides by it. */
  global(name: string): Variable | undefined {
    return this.hidden[this.names.indexOf(name)];
  }

  /** What the innermost call that has the name hides by it. */
  outside(name: string): Variable | undefined {
    return this.hidden[this.names.lastIndexOf(name)];
  }

  hideGlobal(name: string, variable: Variable | undefined): void {
    this.hidden[this.names.indexOf(name)] = variable;
  }

  /** What the innermost of the calls that have the name hid, with its environment, which is then hidden no more. */
  take(name: string): Variable | undefined {
    const at = this.names.lastIndexOf(name);
    const depth = this.depthOf(at);
    this.names.splice(at, 1);
    this.starts = this.starts.map((start) => (start > at ? start - 1 : start));
    const [hidden] = this.hidden.splice(at, 1);
    const given = this.environments?.get(depth);
    if (given?.has(name)) this.environments!.set(depth, new Set([...given].filter((each) => each !== name)));
    return this.environments?.get(depth - 1)?.has(name) ? this.take(name) : hidden;
  }

  copy(): Locals {
    const copy = new Locals();
    if (this.starts.length === 0) return copy;
    copy.names = [...this.names];
    copy.hidden = [...this.hidden];
    copy.starts = [...this.starts];
    copy.environments = this.environments && new Map(this.environments);
    return copy;
  }
}
