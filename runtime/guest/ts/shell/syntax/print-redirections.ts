/** Redirections as bash prints them. */

import type { Redirection } from "./ast";
import { plainDelimiter, type Printer } from "./printer";
import { printWord } from "./print-words";

/** The descriptor that an operator stands for by itself; where it is written anyway, none. */
const DEFAULTS: Readonly<Record<string, number>> = { "<": 0, ">": 1, ">>": 1, ">|": 1, "<<": 0, "<<<": 0 };
const DUPLICATING: Readonly<Record<string, number>> = { "<&": 0, ">&": 1, "<>": 0 };

export function printRedirections(printer: Printer, redirections: readonly Redirection[], both = false): void {
  const texts = redirections.map(printRedirection);
  if (both) texts.push("2>&1");
  printer.add(texts.join(" "));
  printer.defer(redirections.filter(({ operator }) => operator === "<<"));
}

function printRedirection(redirection: Redirection): string {
  const { operator, target, delimiter } = redirection;
  if (operator === "<<" && delimiter) return `${front(redirection)}<<${delimiter.strip ? "-" : ""}${printDelimiter(delimiter.text)}`;
  if (operator === "<&" || operator === ">&") return printDuplication(redirection);
  return `${front(redirection)}${operator} ${printWord(target)}`;
}

function printDelimiter(text: string): string {
  const plain = plainDelimiter(text);
  return plain === text ? text : `'${plain}'`;
}

function front({ operator, descriptor }: Redirection): string {
  if (typeof descriptor === "object") return `{${descriptor.variable}}`;
  const number = descriptor ?? DUPLICATING[operator];
  return number === undefined || number === DEFAULTS[operator] ? "" : `${number}`;
}

/** Numbers show both sides; a word's default side stays away. */
function printDuplication(redirection: Redirection): string {
  const { operator, descriptor, target } = redirection;
  const word = printWord(target);
  if (word === "-") return `${front(redirection)}>&-`;
  const implied = !/^\d+-?$/.test(word) && (descriptor === undefined || descriptor === DUPLICATING[operator]);
  return `${implied ? "" : front(redirection)}${operator}${word}`;
}
