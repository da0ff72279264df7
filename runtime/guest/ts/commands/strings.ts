import { native } from "../bridge/native";
import { command, Failure } from "./command";
import { eachInput } from "./files";
import { Filter } from "./filter";
import { quoted } from "./sizes";

const RADIX: Readonly<Record<string, number>> = { o: 8, d: 10, x: 16 };

export const strings = command({
  name: "strings",
  usage: "[OPTION]... [FILE]...",
  about: "Print the runs of printable characters in the files, or in standard input.",
  options: {
    all: ["-a, --all", "ignored: all of a file is searched"],
    data: ["-d, --data", "ignored"],
    fileNames: ["-f, --print-file-name", "print the name of the file too"],
    least: ["-n, --bytes=MIN", "print runs of at least MIN characters, not 4"],
    octal: ["-o", "as -t o"],
    radix: ["-t, --radix=RADIX", "print offsets, octal (o), decimal (d) or hexadecimal (x)"],
    blanks: ["-w, --include-all-whitespace", "line ends belong to strings too"],
    encoding: ["-e, --encoding=ENC", "s: 7-bit characters (default); S: 8-bit characters"],
    separator: ["-s, --output-separator=STRING", "print STRING behind each string, not a newline"],
  },
  digits: "least",
  run(process, options, operands) {
    const least = Number(options.value("least") ?? 4);
    if (!Number.isInteger(least) || least < 1) throw new Failure(`invalid minimum string length ${options.value("least")}`);
    const encoding = options.value("encoding") ?? "s";
    if (encoding !== "s" && encoding !== "S") throw new Failure(`encoding ${quoted(encoding)} is not supported here`);
    const letter = options.last("octal", "radix") === "octal" ? "o" : options.value("radix");
    if (letter !== undefined && !(letter in RADIX)) throw new Failure(`invalid radix ${quoted(letter)}`);
    const separator = options.value("separator");
    const filter = new Filter(process, "strings", {
      least,
      blanks: options.has("blanks"),
      eight: encoding === "S",
      ...(letter && { radix: RADIX[letter] }),
      ...(separator !== undefined && { separator: native.text.encode(separator) }),
    });
    return eachInput(process, operands, async (reader, name) => {
      const shown = name === "-" ? "{standard input}" : name;
      filter.configure(options.has("fileNames") ? { prefix: native.text.encode(`${shown}: `) } : {});
      await filter.pump(reader);
      await filter.end();
    }, 1, (name, reason) => `'${name}': ${reason.replace(" or directory", "")}`);
  },
});
