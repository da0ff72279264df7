/** Commands as text again, laid out as bash lays them out in `declare -f` and `jobs`. */

import type { AndOr, Command, FunctionDefinition, If, List, Pipeline, Simple } from "./ast";
import { printArgument, printArithmetic, printAssignment, printWord } from "./print-words";
import { printRedirections } from "./print-redirections";
import { printTest } from "./print-tests";
import { Printer } from "./printer";

/** A command on its own, as far as possible on one line. */
export function unparse(command: Command): string {
  const printer = new Printer();
  printCommand(printer, command);
  printer.flush();
  return printer.result;
}

export function unparseAndOr(command: AndOr): string {
  const printer = new Printer();
  printAndOr(printer, command);
  printer.flush();
  return printer.result;
}

export function unparseList(list: List): string {
  const printer = new Printer();
  printList(printer, list);
  printer.flush();
  return printer.result;
}

/** `name () { … }` over several lines. */
export function unparseFunction(name: string, body: Command): string {
  const printer = new Printer();
  printer.add(`${name} () \n{ \n`);
  printFunctionBody(printer, body);
  return printer.result;
}

/** What stands in `$(…)`. */
export function printSubstituted(body: List): string {
  const printer = new Printer(0, true);
  printList(printer, body);
  printer.flush();
  return printer.result;
}

function printList(printer: Printer, list: List): void {
  list.forEach(({ command, background }, index) => {
    printAndOr(printer, command);
    const next = list[index + 1];
    if (background) printer.flush(" &");
    if (!next) return;
    if (!background) return printer.separate(printer.substitution && next.command.first.position.line > command.first.position.line);
    printer.add(" ");
    printer.follow();
  });
  if (list.length > 1) printer.flush();
}

function printAndOr(printer: Printer, { first, rest }: AndOr): void {
  printPipeline(printer, first);
  for (const { operator, pipeline } of rest) {
    printer.flush(` ${operator} `);
    printer.follow();
    printPipeline(printer, pipeline);
    printer.flush();
  }
}

function printPipeline(printer: Printer, { negated, timed, commands, both }: Pipeline): void {
  printer.begin();
  printer.add(`${timed === "" ? "" : `${timed} `}${negated ? "! " : ""}`);
  commands.forEach((command, index) => {
    if (index > 0) {
      printer.flush(" |");
      printer.add(" ");
    }
    printCommand(printer, command, both[index]);
  });
  if (commands.length > 1) printer.flush();
}

/** `both`: what `|&` adds to the command. */
function printCommand(printer: Printer, command: Command, both = false): void {
  const written = printKind(printer, command);
  const { redirections } = command;
  if (redirections.length === 0 && !both) return;
  if (written) printer.add(" ");
  printRedirections(printer, redirections, both);
}

/** Whether anything stands before the redirections. */
function printKind(printer: Printer, command: Command): boolean {
  if (command.kind === "simple") return printSimple(printer, command);
  (PRINTERS[command.kind] as (printer: Printer, command: Command) => void)(printer, command);
  return true;
}

function printSimple(printer: Printer, { assignments, words }: Simple): boolean {
  const text = [...assignments.map(printAssignment), ...words.map(printArgument)].join(" ");
  printer.add(text);
  return text !== "";
}

/** Commands on lines of their own, one step further in, ended by `;`. */
function printBlock(printer: Printer, list: List): void {
  printer.indented(() => printList(printer, list));
  printer.semicolon();
}

/** A condition on the line of its keyword. */
function printCondition(printer: Printer, list: List): void {
  printer.follow();
  printList(printer, list);
}

function endCondition(printer: Printer): void {
  printer.flush();
  printer.semicolon();
}

function printLoop(printer: Printer, head: string, body: List): void {
  printer.add(head);
  printer.line("do\n");
  printBlock(printer, body);
  printer.line("done");
}

/** `elif` is an `if` in an `else`. */
function printIf(printer: Printer, { branches, otherwise }: Pick<If, "branches" | "otherwise">): void {
  const [first, ...rest] = branches;
  if (!first) return;
  printer.add("if ");
  printCondition(printer, first.condition);
  // A lone here-document waits for the first command's end.
  printer.semicolon();
  printer.add(" then\n");
  printBlock(printer, first.body);
  if (rest.length > 0 || otherwise) {
    printer.line("else\n");
    if (rest.length === 0) printBlock(printer, otherwise ?? []);
    else printNestedIf(printer, { branches: rest, otherwise });
  }
  printer.line("fi");
}

function printNestedIf(printer: Printer, rest: Pick<If, "branches" | "otherwise">): void {
  printer.indented(() => {
    printer.begin();
    printIf(printer, rest);
  });
  printer.semicolon();
}

function printFunctionBody(printer: Printer, body: Command): void {
  const group = body.kind === "group";
  printer.within(() => {
    if (group) return printList(printer, body.body);
    printer.begin();
    printCommand(printer, body);
  });
  printer.line("}");
  if (group && body.redirections.length > 0) {
    printer.add(" ");
    printRedirections(printer, body.redirections);
    printer.flush();
  }
}

function printInner(printer: Printer, { name, body }: FunctionDefinition): void {
  printer.add(`function ${name} () `);
  printer.line("{ \n");
  printFunctionBody(printer, body);
}

type Printers = { readonly [K in Exclude<Command["kind"], "simple">]: (printer: Printer, command: Extract<Command, { kind: K }>) => void };

const PRINTERS: Printers = {
  subshell(printer, { body }) {
    printer.add("( ");
    printer.follow();
    printList(printer, body);
    printer.flush();
    printer.add(" )");
  },
  group(printer, { body }) {
    printer.add("{ ");
    if (printer.inFunction) {
      printer.add("\n");
      printer.indented(() => printList(printer, body));
      printer.line("}");
    } else {
      printCondition(printer, body);
      endCondition(printer);
      printer.add(" }");
    }
  },
  if: printIf,
  while(printer, { until, condition, body }) {
    printer.add(until ? "until " : "while ");
    printCondition(printer, condition);
    endCondition(printer);
    printer.add(" do\n");
    printBlock(printer, body);
    printer.line("done");
  },
  for(printer, { name, words, body }) {
    printLoop(printer, `for ${name} in ${words?.map(printWord).join(" ") ?? '"$@"'};`, body);
  },
  select(printer, { name, words, body }) {
    printLoop(printer, `select ${name} in ${words?.map(printWord).join(" ") ?? '"$@"'};`, body);
  },
  "arithmetic for"(printer, { start, condition, step, body }) {
    const [first, second, third] = [start, condition, step].map((each) => (each ? printArithmetic(each).trimStart() : "1"));
    printLoop(printer, `for ((${first}; ${second}; ${third}))`, body);
  },
  case(printer, { word, clauses }) {
    printer.add(`case ${printWord(word)} in `);
    printer.indented(() => {
      for (const { patterns, body, end } of clauses) {
        printer.line(`${patterns.map(printWord).join(" | ")})\n`);
        printer.indented(() => printList(printer, body));
        printer.line(end);
      }
    });
    printer.line("esac");
  },
  arithmetic(printer, { expression }) {
    printer.add(`((${printArithmetic(expression)}))`);
  },
  conditional(printer, { test }) {
    printer.add(`[[ ${printTest(test)} ]]`);
  },
  function: printInner,
  coprocess(printer, { name, body }) {
    printer.add(`coproc ${name} `);
    printCommand(printer, body);
  },
};
