import { command } from "./command";

export const printenv = command({
  name: "printenv",
  usage: "[OPTION]... [VARIABLE]...",
  about: "Print the values of the environment's VARIABLEs, or all of the environment.",
  options: { zero: ["-0, --null", "end each line with a NUL byte"] },
  failure: 2,
  inOrder: true,
  run(process, options, operands) {
    const end = options.has("zero") ? "\0" : "\n";
    if (operands.length === 0) for (const [name, value] of process.env) process.stdout.print(`${name}=${value}${end}`);
    const values = operands.map((name) => process.env.get(name));
    for (const value of values) if (value !== undefined) process.stdout.print(value + end);
    return values.includes(undefined) ? 1 : 0;
  },
});
