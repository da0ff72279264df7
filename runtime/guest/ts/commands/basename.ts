import { command } from "./command";
import { demandOperands } from "./operands";
import { baseName } from "./paths";

function stripped(path: string, suffix: string): string {
  const name = baseName(path);
  return suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

export const basename = command({
  name: "basename",
  usage: ["NAME [SUFFIX]", "OPTION... NAME..."],
  about: "Print NAME without the directories in front of it, and without SUFFIX.",
  options: {
    multiple: ["-a, --multiple", "take every operand as a NAME"],
    suffix: ["-s, --suffix=SUFFIX", "remove SUFFIX; implies -a"],
    zero: ["-z, --zero", "end each name with a NUL byte instead of a newline"],
  },
  inOrder: true,
  run(process, options, operands) {
    const multiple = options.has("multiple") || options.has("suffix");
    demandOperands(operands, 1, multiple ? Infinity : 2);
    const names = multiple ? operands : operands.slice(0, 1);
    const suffix = options.value("suffix") ?? (multiple ? "" : (operands[1] ?? ""));
    const end = options.has("zero") ? "\0" : "\n";
    for (const name of names) process.stdout.print(stripped(name, suffix) + end);
    return 0;
  },
});
