/** The words of bc programs. */

export interface Token {
  readonly kind: "number" | "name" | "word" | "string" | "operator" | "newline" | "end";
  readonly text: string;
  readonly line: number;
}

/** A program that is wrong. */
export class SyntaxFault {
  constructor(
    readonly line: number,
    readonly message = "syntax error",
  ) {}
}

/** A program that is not over yet: the next line belongs to it. */
export class Incomplete {}

const WORDS = new Set([
  "auto", "break", "continue", "define", "else", "for", "halt", "ibase", "if", "last", "length", "limits", "obase", "print", "quit", "random",
  "read", "return", "scale", "sqrt", "void", "warranty", "while",
]);

const TOKEN =
  /[ \t\r]+|\\\n|\/\*[^]*?\*\/|#[^\n]*|(\d[\dA-Z]*(?:\.[\dA-Z]*)?|[A-Z][\dA-Z]*(?:\.[\dA-Z]*)?|\.[\dA-Z]+)|([a-z][a-z0-9_]*)|("[^"]*")|(\n)|(\+\+|--|\|\||&&|[-+*/%^=!<>]=|[-+*/%^=!<>(){}[\],;.&|])/gy;

/** A number may go on behind a backslash at a line's end. */
function joinedNumbers(text: string): string {
  return text.replace(/(?<=[\dA-Z.])\\\n(?=[\dA-Z.])/g, "");
}

export function tokensOf(source: string, firstLine: number): Token[] {
  const text = joinedNumbers(source);
  const tokens: Token[] = [];
  let line = firstLine;
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const comment = text.startsWith("/*", at);
    if (!match || (comment && !match[0].startsWith("/*"))) {
      if (comment || text[at] === '"') throw new Incomplete();
      throw new SyntaxFault(line, `illegal character: ${text[at]!}`);
    }
    const [whole, number, name, string, newline, operator] = match;
    if (number !== undefined) tokens.push({ kind: "number", text: number, line });
    else if (name !== undefined) tokens.push({ kind: WORDS.has(name) ? "word" : "name", text: name, line });
    else if (string !== undefined) tokens.push({ kind: "string", text: string.slice(1, -1), line });
    else if (newline !== undefined) tokens.push({ kind: "newline", text: newline, line });
    else if (operator !== undefined) tokens.push({ kind: "operator", text: operator, line });
    line += whole.split("\n").length - 1;
  }
  tokens.push({ kind: "end", text: "", line });
  return tokens;
}
