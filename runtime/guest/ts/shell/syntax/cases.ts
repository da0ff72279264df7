/** `case`. */

import type { Case, CaseClause, Word } from "./ast";
import { skipBlanks, skipNewlines } from "./blanks";
import { BAR, CLOSE, isMeta, OPEN } from "./chars";
import { unexpected, wordExpected } from "./faults";
import { expectKeyword, takeKeyword } from "./keywords";
import { readList } from "./lists";
import type { Reader } from "./reader";
import { readWord } from "./words";

export function readCase(reader: Reader): Case {
  skipBlanks(reader);
  const position = reader.position();
  if (isMeta(reader.code())) throw wordExpected(reader);
  const word = readWord(reader);
  skipNewlines(reader);
  if (!takeKeyword(reader, "in")) throw unexpected(reader);
  const clauses: CaseClause[] = [];
  for (;;) {
    skipNewlines(reader);
    if (takeKeyword(reader, "esac")) break;
    const { clause, last } = readClause(reader);
    clauses.push(clause);
    if (last) {
      expectKeyword(reader, "esac");
      break;
    }
  }
  return { kind: "case", word, clauses, redirections: [], position };
}

/** `last`: without a terminator, so that `esac` must follow. */
function readClause(reader: Reader): { clause: CaseClause; last: boolean } {
  const patterns = readPatterns(reader);
  const body = readList(reader);
  const end = reader.take(";;&") ? ";;&" : reader.take(";;") ? ";;" : reader.take(";&") ? ";&" : undefined;
  return { clause: { patterns, body, end: end ?? ";;" }, last: end === undefined };
}

function readPatterns(reader: Reader): Word[] {
  if (reader.atEnd) throw unexpected(reader);
  if (reader.code() === OPEN) reader.pos++;
  const patterns: Word[] = [];
  for (;;) {
    skipBlanks(reader);
    if (isMeta(reader.code())) throw wordExpected(reader);
    patterns.push(readWord(reader));
    skipBlanks(reader);
    const code = reader.code();
    if (code !== BAR && code !== CLOSE) throw wordExpected(reader);
    reader.pos++;
    if (code === CLOSE) return patterns;
  }
}
