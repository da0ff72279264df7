import { native } from "../bridge/native";
import { command, Failure } from "./command";
import { filterFiles } from "./filter";
import { localeFlag } from "./locale";
import { nameQuoted } from "./quoting";

/** tac's expressions are Emacs's, where + and ? are operators and braces are not: as a basic one. */
function basicOf(regex: string): string {
  return regex.replace(/\\[^]|\[\^?\]?[^\]]*\]|[+?]/g, (part) => (part === "+" || part === "?" ? `\\${part}` : /^\\[+?{}]$/.test(part) ? part[1]! : part));
}

export const tac = command({
  name: "tac",
  usage: "[OPTION]... [FILE]...",
  about: "Print each file, or standard input, with its lines in reverse order.",
  options: {
    before: ["-b, --before", "separators begin records"],
    regex: ["-r, --regex", "the separator is a regular expression"],
    separator: ["-s, --separator=STRING", "records end in STRING, not in a newline"],
  },
  async run(process, options, operands) {
    const given = options.value("separator") ?? "\n";
    const regex = options.has("regex");
    if (regex && given === "") throw new Failure("separator cannot be empty");
    const settings = { separator: native.text.encode(given === "" ? "\0" : regex ? basicOf(given) : given), before: options.has("before"), regex, flags: localeFlag(process) };
    try {
      return await filterFiles(process, "tac", settings, operands, (name, reason) => `failed to open ${nameQuoted(name)} for reading: ${reason}`);
    } catch (error) {
      if (error instanceof SyntaxError) throw new Failure(error.message);
      throw error;
    }
  },
});
