/** From tokens to statements that can be run. */

import { repeat, then, type Maybe } from "../shell/io/maybe";
import { ExpressionParser } from "./bc_expressions";
import { type Expression, Flow, type Machine, type Parameter, Quit, type Statement } from "./bc_machine";
import { ZERO } from "./bc_number";

const ESCAPES: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", q: '"', r: "\r", t: "\t", "\\": "\\", e: "\\" };

const nothing: Statement = () => Flow.on;

function sequence(statements: readonly Statement[]): Statement {
  if (statements.length === 1) return statements[0]!;
  const from = (machine: Machine, start: number): Maybe<Flow> => {
    for (let index = start; index < statements.length; index += 1) {
      const flow = statements[index]!(machine);
      if (flow instanceof Promise) return flow.then((late) => (late === Flow.on ? from(machine, index + 1) : late));
      if (flow !== Flow.on) return flow;
    }
    return Flow.on;
  };
  return (machine) => from(machine, 0);
}

function loop(condition: Expression | undefined, body: Statement, step?: Expression): Statement {
  return (machine) => {
    let end: Flow = Flow.on;
    const settle = (flow: Flow): Maybe<boolean> => {
      if (flow === Flow.back) end = flow;
      if (flow === Flow.back || flow === Flow.leave) return false;
      step?.(machine);
      const pause = machine.turn();
      return pause instanceof Promise ? pause.then(() => true) : true;
    };
    const turn = (): Maybe<boolean> => {
      if (condition !== undefined && condition(machine).digits === 0n) return false;
      const flow = body(machine);
      return flow instanceof Promise ? flow.then(settle) : settle(flow);
    };
    return then(repeat(turn), () => end);
  };
}

export class ProgramParser extends ExpressionParser {
  /** What stands on one line, which runs at once; undefined at the end. */
  next(): Statement | undefined {
    while (this.isNewline || this.is(";")) this.at += 1;
    if (this.token.kind === "end") return undefined;
    if (this.is("define")) return this.definition();
    const statements: Statement[] = [];
    for (;;) {
      statements.push(this.statement());
      if (this.ended) break;
      this.expect(";");
      while (this.is(";")) this.at += 1;
      if (this.ended) break;
    }
    return sequence(statements);
  }

  private get ended(): boolean {
    return this.isNewline || this.token.kind === "end";
  }

  private get isNewline(): boolean {
    return this.token.kind === "newline";
  }

  private newlines(): void {
    while (this.isNewline) this.at += 1;
  }

  private statement(): Statement {
    const { kind, text } = this.token;
    if (kind === "string") {
      this.at += 1;
      return (machine) => (machine.printText(text), Flow.on);
    }
    if (this.is("{")) return this.block();
    if (kind === "word") {
      const parse = KEYWORDS[text];
      if (parse) {
        this.at += 1;
        return parse(this);
      }
    }
    const expression = this.expression();
    if (this.assigned) return (machine) => (expression(machine), Flow.on);
    return (machine) => {
      machine.silent = false;
      const value = expression(machine);
      if (machine.silent) return Flow.on;
      machine.printNumber(value);
      machine.printText("\n");
      return Flow.on;
    };
  }

  private block(): Statement {
    this.expect("{");
    return this.rest();
  }

  /** The statements of a block whose brace was read, up to the one that closes it. */
  private rest(): Statement {
    const statements: Statement[] = [];
    for (;;) {
      while (this.isNewline || this.is(";")) this.at += 1;
      if (this.accept("}")) return statements.length > 0 ? sequence(statements) : nothing;
      statements.push(this.statement());
      if (!this.is("}") && !this.is(";") && !this.isNewline) this.fail();
    }
  }

  private body(): Statement {
    this.newlines();
    return this.statement();
  }

  ifStatement(): Statement {
    this.expect("(");
    const condition = this.expression();
    this.expect(")");
    const yes = this.body();
    const before = this.at;
    if (yes !== nothing && this.is(";") && this.tokens[this.at + 1]!.text === "else") this.at += 1;
    if (!this.accept("else")) {
      this.at = before;
      return (machine) => (condition(machine).digits !== 0n ? yes(machine) : Flow.on);
    }
    const no = this.body();
    return (machine) => (condition(machine).digits !== 0n ? yes(machine) : no(machine));
  }

  whileStatement(): Statement {
    this.expect("(");
    const condition = this.expression();
    this.expect(")");
    return loop(condition, this.body());
  }

  forStatement(): Statement {
    this.expect("(");
    const part = (end: string): Expression | undefined => {
      const expression = this.is(end) ? undefined : this.expression();
      this.expect(end);
      return expression;
    };
    const [start, condition, step] = [part(";"), part(";"), part(")")];
    const repeat = loop(condition, this.body(), step);
    return (machine) => {
      start?.(machine);
      return repeat(machine);
    };
  }

  printStatement(): Statement {
    const parts: ((machine: Machine) => void)[] = [];
    do {
      const { kind, text } = this.token;
      if (kind === "string") {
        this.at += 1;
        const shown = text.replace(/\\([^])/g, (whole, letter: string) => ESCAPES[letter] ?? whole);
        parts.push((machine) => machine.printText(shown));
      } else {
        const expression = this.expression();
        parts.push((machine) => machine.printNumber(expression(machine)));
      }
    } while (this.accept(","));
    return (machine) => {
      for (const part of parts) part(machine);
      return Flow.on;
    };
  }

  returnStatement(): Statement {
    const value = this.ended || this.is(";") || this.is("}") ? undefined : this.expression();
    return (machine) => {
      machine.result = value?.(machine) ?? ZERO;
      return Flow.back;
    };
  }

  private definition(): Statement {
    this.expect("define");
    const silent = this.accept("void");
    const name = this.name();
    this.expect("(");
    const parameters = this.parameters(")");
    this.newlines();
    this.expect("{");
    this.newlines();
    const locals: Parameter[] = [];
    while (this.accept("auto")) {
      locals.push(...this.parameters(";"));
      this.newlines();
    }
    const body = this.rest();
    return (machine) => {
      machine.functions.set(name, { parameters, locals, body, silent });
      return Flow.on;
    };
  }

  private parameters(end: string): Parameter[] {
    const list: Parameter[] = [];
    const ends = (): boolean => this.accept(end) || (end === ";" && this.isNewline);
    while (!ends()) {
      if (list.length > 0) this.expect(",");
      const reference = this.accept("*") || this.accept("&");
      const name = this.name();
      const array = this.accept("[");
      if (array) this.expect("]");
      list.push({ name, array, reference });
    }
    return list;
  }
}

const KEYWORDS: Readonly<Record<string, (parser: ProgramParser) => Statement>> = {
  if: (parser) => parser.ifStatement(),
  while: (parser) => parser.whileStatement(),
  for: (parser) => parser.forStatement(),
  print: (parser) => parser.printStatement(),
  return: (parser) => parser.returnStatement(),
  break: () => () => Flow.leave,
  continue: () => () => Flow.again,
  halt: () => () => {
    throw new Quit();
  },
  // Unlike halt it counts as soon as it is read.
  quit: () => {
    throw new Quit();
  },
  warranty: () => nothing,
  limits: () => (machine) => {
    machine.printText("BC_BASE_MAX     = 2147483647\nBC_DIM_MAX      = 16777215\nBC_SCALE_MAX    = 1000000\nBC_STRING_MAX   = 2147483647\n");
    return Flow.on;
  },
};
