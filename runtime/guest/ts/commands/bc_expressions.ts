/** From tokens to expressions that can be evaluated. */

import { type Expression, type Machine, truth } from "./bc_machine";
import { type Decimal, lengthOf, negate, parseDecimal, squareRoot, subtract, whole, ZERO } from "./bc_number";
import { ARITHMETIC, type Binary, BOTH, COMPARISONS, EITHER, isTrue, LIBRARY, type Operators, PRODUCTS, raised, SUMS } from "./bc_operators";
import { elementPlace, LAST, type Place, specialPlace, stepped, STEPS, variablePlace } from "./bc_places";
import { Incomplete, SyntaxFault, type Token } from "./bc_tokens";

/** What follows in a chain of operands. */
interface Link {
  readonly apply: Binary;
  readonly operand: Expression;
}

/** A loop, as calls in calls would end the stack in a long chain. */
function linked(first: Expression, links: readonly Link[]): Expression {
  return (machine) => {
    let value = first(machine);
    for (let index = 0; index < links.length; index += 1) {
      const { apply, operand } = links[index]!;
      value = apply(machine, value, operand(machine));
    }
    return value;
  };
}

/** A number, whose value depends on the base of the moment. */
function constant(text: string): Expression {
  let [value, base] = [ZERO, 0];
  return (machine) => {
    if (base !== machine.ibase) [value, base] = [parseDecimal(text, machine.ibase), machine.ibase];
    return value;
  };
}

export class ExpressionParser {
  protected at = 0;
  /** Whether what was just read is an assignment and no more: its value is not printed. */
  protected assigned = false;

  constructor(
    protected readonly tokens: readonly Token[],
    private readonly withLibrary: boolean,
  ) {}

  protected get token(): Token {
    return this.tokens[this.at]!;
  }

  protected is(text: string): boolean {
    const { kind } = this.token;
    return (kind === "operator" || kind === "word") && this.token.text === text;
  }

  protected accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.at += 1;
    return true;
  }

  protected expect(text: string): void {
    if (!this.accept(text)) this.fail();
  }

  protected fail(): never {
    if (this.token.kind === "end") throw new Incomplete();
    throw new SyntaxFault(this.token.line);
  }

  protected name(): string {
    if (this.token.kind !== "name") this.fail();
    return this.tokens[this.at++]!.text;
  }

  expression(): Expression {
    this.assigned = false;
    return this.either();
  }

  private either(): Expression {
    return this.chain(EITHER, () => this.both());
  }

  private both(): Expression {
    return this.chain(BOTH, () => this.not());
  }

  private not(): Expression {
    if (!this.accept("!")) return this.relation();
    const operand = this.not();
    return this.value((machine) => truth(!isTrue(operand(machine))));
  }

  private relation(): Expression {
    return this.chain(COMPARISONS, () => this.sum());
  }

  private sum(): Expression {
    return this.chain(SUMS, () => this.product());
  }

  private product(): Expression {
    return this.chain(PRODUCTS, () => this.raise());
  }

  /** Operands with operators between them that group to the left, however many. */
  private chain(operators: Operators, operand: () => Expression): Expression {
    const first = operand();
    const links: Link[] = [];
    for (let apply = this.operator(operators); apply; apply = this.operator(operators)) links.push({ apply, operand: operand() });
    return links.length === 0 ? first : this.value(linked(first, links));
  }

  private operator(operators: Operators): Binary | undefined {
    const { kind, text } = this.token;
    const apply = kind === "operator" ? operators[text] : undefined;
    if (apply) this.at += 1;
    return apply;
  }

  private raise(): Expression {
    const base = this.sign();
    if (!this.accept("^")) return base;
    const exponent = this.raise();
    return this.value((machine) => {
      const value = base(machine);
      return raised(machine, value, exponent(machine));
    });
  }

  /** The sign of a number binds before ^. */
  private sign(): Expression {
    if (!this.accept("-")) return this.step();
    const operand = this.sign();
    return this.value((machine) => negate(operand(machine)));
  }

  private step(): Expression {
    for (const [operator, by] of STEPS) {
      if (!this.accept(operator)) continue;
      const place = this.place() ?? this.fail();
      return this.value((machine) => stepped(machine, place, by));
    }
    return this.primary();
  }

  private primary(): Expression {
    const { kind, text } = this.token;
    if (kind === "number") {
      this.at += 1;
      return this.value(constant(text));
    }
    if (this.accept("(")) {
      const inner = this.either();
      this.expect(")");
      return this.value(inner);
    }
    const builtin = this.builtin();
    if (builtin) return builtin;
    if (kind === "name" && this.tokens[this.at + 1]!.text === "(") return this.call();
    const place = this.place() ?? this.fail();
    return this.afterPlace(place);
  }

  /** `x`, `x++`, `x = …`, `x += …` */
  private afterPlace(place: Place): Expression {
    for (const [operator, by] of STEPS) {
      if (this.accept(operator)) return this.value((machine) => subtract(stepped(machine, place, by), by));
    }
    const [, sign] = this.token.kind === "operator" ? (/^([-+*/%^]?)=$/.exec(this.token.text) ?? []) : [];
    if (sign === undefined) return this.value((machine) => place.get(machine, place.key(machine)));
    this.at += 1;
    const right = this.assignedValue();
    this.assigned = true;
    const apply = ARITHMETIC[sign];
    return (machine) => {
      const key = place.key(machine);
      const value = right(machine);
      place.set(machine, key, apply ? apply(machine, place.get(machine, key), value) : value);
      return place.get(machine, key);
    };
  }

  /** An assignment binds before comparisons. */
  private assignedValue(): Expression {
    return this.sum();
  }

  private value(expression: Expression): Expression {
    this.assigned = false;
    return expression;
  }

  private place(): Place | undefined {
    const { kind, text } = this.token;
    if (kind === "word" && (text === "scale" || text === "ibase" || text === "obase")) {
      this.at += 1;
      return specialPlace(text);
    }
    if ((kind === "word" && text === "last") || (kind === "operator" && text === ".")) {
      this.at += 1;
      return LAST;
    }
    if (kind !== "name") return undefined;
    this.at += 1;
    if (!this.accept("[")) return variablePlace(text);
    const index = this.either();
    this.expect("]");
    return elementPlace(text, index);
  }

  private builtin(): Expression | undefined {
    const { kind, text } = this.token;
    if (kind !== "word") return undefined;
    const called = this.tokens[this.at + 1]!.text === "(";
    if (text === "scale" && !called) return undefined;
    if (!["length", "scale", "sqrt", "read", "random"].includes(text)) return undefined;
    this.at += 1;
    this.expect("(");
    if (text === "read" || text === "random") {
      this.expect(")");
      return this.value(text === "read" ? read : () => whole(Math.floor(Math.random() * 2 ** 31)));
    }
    if (text === "length" && this.token.kind === "name" && this.tokens[this.at + 1]!.text === "[" && this.tokens[this.at + 2]!.text === "]") {
      const name = this.name();
      this.at += 2;
      this.expect(")");
      return this.value((machine) => whole(Math.max(-1, ...machine.array(name).keys()) + 1));
    }
    const operand = this.either();
    this.expect(")");
    if (text === "length") return this.value((machine) => whole(lengthOf(operand(machine))));
    if (text === "scale") return this.value((machine) => whole(operand(machine).scale));
    return this.value((machine) => {
      const value = operand(machine);
      return value.digits < 0n ? machine.fault("Square root of a negative number") : squareRoot(value, machine.scale);
    });
  }

  private call(): Expression {
    const name = this.name();
    this.expect("(");
    const args: (Expression | string)[] = [];
    while (!this.is(")")) {
      if (args.length > 0) this.expect(",");
      if (this.token.kind === "name" && this.tokens[this.at + 1]!.text === "[" && this.tokens[this.at + 2]!.text === "]") {
        args.push(this.name());
        this.at += 2;
      } else args.push(this.either());
    }
    this.at += 1;
    const known = this.withLibrary && Object.hasOwn(LIBRARY, name) ? LIBRARY[name]! : undefined;
    return this.value((machine) => {
      const values = args.map((each) => (typeof each === "string" ? each : each(machine)));
      if (!known || machine.functions.has(name)) return machine.call(name, values);
      if (values.length !== known.length - 1 || values.some((each) => typeof each === "string")) machine.fault("Parameter number mismatch");
      return known(machine.scale, ...(values as Decimal[]));
    });
  }
}

function read(machine: Machine): Decimal {
  const line = machine.readLine()?.trim() ?? "";
  const [, sign, number] = /^(-?)([\dA-Z]*\.?[\dA-Z]*)/.exec(line)!;
  const value = parseDecimal(number!, machine.ibase);
  return sign === "-" ? negate(value) : value;
}
