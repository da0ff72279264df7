/** `[[ … ]]` as bash prints it. */

import type { Test } from "./ast";
import { membersOf } from "./conditional";
import { printWord } from "./print-words";

const RANK = { or: 1, and: 2 } as const;

/** `least`: what binds less than this needs parentheses, which stand as well where they were written. */
export function printTest(test: Test, least = 0): string {
  const rank = test.kind === "or" || test.kind === "and" ? RANK[test.kind] : 3;
  const text = printPlain(test, rank);
  return test.grouped || rank < least ? `( ${text} )` : text;
}

function printPlain(test: Test, rank: number): string {
  switch (test.kind) {
    case "or":
    case "and":
      return membersOf(test).map((member) => printTest(member, rank)).join(test.kind === "or" ? " || " : " && ");
    case "not":
      return `! ${printTest(test.operand, 3)}`;
    case "unary":
      return `${test.operator} ${printWord(test.operand)}`;
    case "binary":
      return `${printWord(test.left)} ${test.written ?? test.operator} ${printWord(test.right)}`;
    case "word":
      return `-n ${printWord(test.word)}`;
  }
}
