/** What a bc program runs on: its variables, functions and output. */

import { then, type Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { type Decimal, formatDecimal, toInteger, whole, ZERO } from "./bc_number";
import { Failure } from "./command";

/** Ends the running statement with a message. */
export class RuntimeFault {
  constructor(readonly message: string) {}
}

/** Ends bc. */
export class Quit {}

/** How a statement ends, where not as usual. */
export const Flow = { on: 0, leave: 1, again: 2, back: 3 } as const;
export type Flow = (typeof Flow)[keyof typeof Flow];

export type Expression = (machine: Machine) => Decimal;
/** Comes later only where a loop outside of functions paused. */
export type Statement = (machine: Machine) => Maybe<Flow>;
type BcArray = Map<number, Decimal>;

export interface Parameter {
  readonly name: string;
  readonly array: boolean;
  /** `*a[]`: the caller's array itself. */
  readonly reference: boolean;
}

interface BcFunction {
  readonly parameters: readonly Parameter[];
  readonly locals: readonly Parameter[];
  readonly body: Statement;
  /** Has no value that could be printed. */
  readonly silent: boolean;
}

/** Said of calls, parentheses and blocks. */
export const TOO_DEEP = "the program nests too deeply";
/** Calls that may nest. */
const NESTED_MOST = 2000;
/** Turns of loops between two pauses. */
const PAUSED = 256;
const SCALE_MOST = 1_000_000;
const BASE_MOST = 36;

export class Machine {
  scale = 0;
  ibase = 10;
  obase = 10;
  last: Decimal = ZERO;
  result: Decimal = ZERO;
  /** Whether the function called last has no value. */
  silent = false;
  readonly variables = new Map<string, Decimal>();
  readonly arrays = new Map<string, BcArray>();
  readonly functions = new Map<string, BcFunction>();
  private column = 0;
  private depth = 0;
  private turns = 0;
  private readonly width: number;

  constructor(
    private readonly process: Process,
    /** The next line of standard input; undefined at the end, or when it is not there yet. */
    readonly readLine: () => string | undefined,
  ) {
    const text = process.env.get("BC_LINE_LENGTH") ?? "";
    this.width = /^\d+$/.test(text) ? (Number(text) > 1 ? Number(text) : 0) : 70;
  }

  fault(message: string): never {
    throw new RuntimeFault(message);
  }

  array(name: string): BcArray {
    const array = this.arrays.get(name) ?? new Map<number, Decimal>();
    this.arrays.set(name, array);
    return array;
  }

  /** Sets one of bc's own variables. */
  setSpecial(name: "scale" | "ibase" | "obase", value: Decimal): void {
    const number = Number(toInteger(value));
    if (name === "scale") this.scale = number < 0 ? this.warned("negative scale, set to 0", 0) : Math.min(number, SCALE_MOST);
    else if (name === "ibase") this.ibase = number < 2 ? this.warned("ibase too small, set to 2", 2) : number > BASE_MOST ? this.warned(`ibase too large, set to ${BASE_MOST}`, BASE_MOST) : number;
    else this.obase = number < 2 ? this.warned("obase too small, set to 2", 2) : Math.min(number, 2 ** 31 - 1);
  }

  warn(message: string): void {
    this.process.stderr.print(`Runtime warning (func=(main), adr=0): ${message}\n`);
    void this.process.stderr.flush();
  }

  private warned(message: string, value: number): number {
    this.warn(message);
    return value;
  }

  printNumber(value: Decimal): void {
    this.last = value;
    this.printText(formatDecimal(value, this.obase));
  }

  /** Long lines go on behind a backslash. */
  printText(text: string): void {
    const { width } = this;
    if (width === 0 || (this.column + text.length < width - 1 && !text.includes("\n"))) {
      this.column += text.length;
      this.process.stdout.print(text);
      return;
    }
    let out = "";
    for (const char of text) {
      if (char === "\n") this.column = 0;
      else if (++this.column === width - 1) {
        out += "\\\n";
        this.column = 1;
      }
      out += char;
    }
    this.process.stdout.print(out);
  }

  call(name: string, values: readonly (Decimal | string)[]): Decimal {
    const definition = this.functions.get(name);
    if (!definition) this.fault(`Function ${name} not defined.`);
    const { parameters, locals, body } = definition;
    if (parameters.length !== values.length || parameters.some(({ array }, at) => array !== (typeof values[at] === "string"))) {
      this.fault(values.length < parameters.length ? "Parameter number mismatch" : "Parameter type mismatch");
    }
    if (++this.depth > NESTED_MOST) throw new Failure(TOO_DEEP);
    const restore = this.hide([...parameters, ...locals], values);
    const [ibase, result] = [this.ibase, this.result];
    try {
      this.result = ZERO;
      void body(this);
      return this.result;
    } finally {
      this.depth -= 1;
      this.silent = definition.silent;
      this.ibase = ibase;
      this.result = result;
      restore();
    }
  }

  /** A turn of a loop: now and then a pause, which inside functions, amid expressions, nobody waits for. */
  turn(): Maybe<unknown> {
    if (++this.turns % PAUSED !== 0) return undefined;
    if (this.depth === 0) return then(this.process.stdout.flush(), () => this.process.pause());
    void this.process.pause();
    return undefined;
  }

  /** Gives names new values; the function returned brings the old ones back. */
  private hide(names: readonly Parameter[], values: readonly (Decimal | string)[]): () => void {
    const old = names.map(({ name, array }) => (array ? this.arrays.get(name) : this.variables.get(name)));
    const given = names.map(({ reference }, at) => {
      const value = values[at];
      if (typeof value !== "string") return value;
      return reference ? this.array(value) : new Map(this.array(value));
    });
    names.forEach(({ name, array }, at) => {
      if (array) this.arrays.set(name, (given[at] as BcArray | undefined) ?? new Map<number, Decimal>());
      else this.variables.set(name, (given[at] as Decimal | undefined) ?? ZERO);
    });
    return () => {
      names.forEach(({ name, array }, at) => {
        const value = old[at];
        const table = (array ? this.arrays : this.variables) as Map<string, unknown>;
        if (value === undefined) table.delete(name);
        else table.set(name, value);
      });
    };
  }
}

export function truth(value: boolean): Decimal {
  return whole(value ? 1 : 0);
}
