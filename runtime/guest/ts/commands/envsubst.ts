import { command, Failure } from "./command";
import { readText } from "./files";

const REFERENCE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;

function namesIn(format: string): string[] {
  return Array.from(format.matchAll(REFERENCE), ([, bare, braced]) => (bare ?? braced)!);
}

export const envsubst = command({
  name: "envsubst",
  usage: "[OPTION] [SHELL-FORMAT]",
  about: "Copy standard input with $NAME and ${NAME} replaced by the values of the environment;\nwith SHELL-FORMAT, only those that it refers to.",
  options: { variables: ["-v, --variables", "print the names that SHELL-FORMAT refers to"] },
  async run(process, options, operands) {
    const [format] = operands;
    if (operands.length > 1) throw new Failure("too many arguments");
    if (options.has("variables")) {
      if (format === undefined) throw new Failure("missing arguments");
      process.stdout.print(namesIn(format).map((name) => `${name}\n`).join(""));
      return 0;
    }
    const wanted = format === undefined ? undefined : new Set(namesIn(format));
    const value = (whole: string, bare?: string, braced?: string): string => {
      const name = (bare ?? braced)!;
      return wanted === undefined || wanted.has(name) ? (process.env.get(name) ?? "") : whole;
    };
    await process.stdout.write((await readText(process, "-")).replace(REFERENCE, value));
    return 0;
  },
});
