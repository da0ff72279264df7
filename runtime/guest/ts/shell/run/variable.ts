/** One variable: a value and attributes. */

import { AssociativeArray, IndexedArray } from "./arrays";

export type Value = string | IndexedArray | AssociativeArray;

export interface Attributes {
  exported: boolean;
  readonly: boolean;
  integer: boolean;
  lower: boolean;
  upper: boolean;
  capital: boolean;
  nameref: boolean;
  /** Without an effect, as in bash. */
  traced: boolean;
}

export const EXPORTED = 1;
export const READONLY = 2;
export const INTEGER = 4;
export const LOWER = 8;
export const UPPER = 16;
export const NAMEREF = 32;
export const CAPITAL = 64;
export const TRACED = 128;
/** Of the locale: no quick way changes it, so that the change is seen. */
export const LOCALE = 256;

/** Without a value it is declared only. */
export class Variable implements Attributes {
  declare value: Value | undefined;
  /** All attributes as one number, so that the usual variable, which has none, is told by one comparison. */
  declare bits: number;
  /** Who may change it in place: see Variables. */
  declare owner: object | undefined;
  /** The text that `number` is the value of, so that loops need not read it again. */
  declare counted: string | null;
  declare number: number;

  constructor(value: Value | undefined) {
    this.value = value;
    this.bits = 0;
    this.owner = undefined;
    this.counted = null;
    this.number = 0;
  }

  private turn(bit: number, on: boolean): void {
    this.bits = on ? this.bits | bit : this.bits & ~bit;
  }

  get exported(): boolean {
    return (this.bits & EXPORTED) !== 0;
  }
  set exported(on: boolean) {
    this.turn(EXPORTED, on);
  }

  get readonly(): boolean {
    return (this.bits & READONLY) !== 0;
  }
  set readonly(on: boolean) {
    this.turn(READONLY, on);
  }

  get integer(): boolean {
    return (this.bits & INTEGER) !== 0;
  }
  set integer(on: boolean) {
    this.turn(INTEGER, on);
  }

  get lower(): boolean {
    return (this.bits & LOWER) !== 0;
  }
  set lower(on: boolean) {
    this.turn(LOWER, on);
  }

  get upper(): boolean {
    return (this.bits & UPPER) !== 0;
  }
  set upper(on: boolean) {
    this.turn(UPPER, on);
  }

  get capital(): boolean {
    return (this.bits & CAPITAL) !== 0;
  }
  set capital(on: boolean) {
    this.turn(CAPITAL, on);
  }

  get nameref(): boolean {
    return (this.bits & NAMEREF) !== 0;
  }
  set nameref(on: boolean) {
    this.turn(NAMEREF, on);
  }

  get traced(): boolean {
    return (this.bits & TRACED) !== 0;
  }
  set traced(on: boolean) {
    this.turn(TRACED, on);
  }

  /** Whether assignments need more than to be stored. */
  get special(): boolean {
    return (this.bits & ~EXPORTED) !== 0;
  }

  /** Element 0 of an array, as `$name` reads it. */
  get scalar(): string | undefined {
    const { value } = this;
    if (value === undefined || typeof value === "string") return value;
    return value instanceof IndexedArray ? value.get(0) : value.get("0");
  }

  copy(): Variable {
    const copy = new Variable(typeof this.value === "object" ? this.value.copy() : this.value);
    copy.bits = this.bits;
    return copy;
  }
}
