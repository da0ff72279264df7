// Runs the shell's parser outside the guest: an array of scripts on stdin, and for each what was asked for on stdout.
//   faults:    the message, or "" for a script that parses
//   functions: its functions, printed
//   round:     "" if the script, printed and parsed again, gives the same tree and the same text; else the first difference

import { build } from "../../../runtime/guest/ts/node_modules/esbuild/lib/main.js";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../../../runtime/guest/ts/shell/syntax", import.meta.url));
const entry = { contents: 'export * from "./parser"; export * from "./unparse"; export * from "./errors";', resolveDir: SOURCE, loader: "ts" };
const { outputFiles } = await build({ stdin: entry, bundle: true, format: "esm", write: false, logLevel: "error" });
const { parseAll, SyntaxFault, unparseFunction, unparseList } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

/** What printing changes on purpose. */
const SHAPES = {
  for: ({ words = [EVERY], ...rest }) => ({ ...rest, words }),
  select: ({ words = [EVERY], ...rest }) => ({ ...rest, words }),
  "arithmetic for": ({ start = 1, condition = 1, step = 1, ...rest }) => ({ ...rest, start: shape(start), condition: shape(condition), step: shape(step) }),
  // bash prints a name that it does not take back.
  coprocess: ({ body, ...rest }) => ({ ...rest, body: body.words?.[0]?.source === "COPROC" ? { ...body, words: body.words.slice(1) } : body }),
  word: (node) => (node.word ? { kind: "unary", operator: "-n", operand: node.word } : node),
  function: ({ body, ...rest }) => ({ ...rest, body: body.kind === "group" ? body : { kind: "group", redirections: [], body: [alone(body)] } }),
  if: ({ branches: [first, ...others], otherwise, redirections, ...rest }) => {
    const nested = { kind: "if", branches: others, otherwise, redirections: [] };
    return { ...rest, redirections, branches: [first], otherwise: others.length > 0 ? [alone(SHAPES.if(nested))] : otherwise };
  },
};
const DROPPED = new Set(["position", "line", "source", "grouped", "token", "delimiter", "both"]);
const DESCRIPTORS = { "<": 0, "<<": 0, "<<<": 0, "<&": 0, "<>": 0, ">": 1, ">>": 1, ">|": 1, ">&": 1 };
const EVERY = { kind: "word", parts: [{ kind: "double", parts: [{ kind: "parameter", name: "@", indirect: false, length: false }] }] };
const alone = (command) => ({ command: { first: { negated: false, timed: "", commands: [command] }, rest: [] }, background: false });
const literal = (text) => ({ kind: "word", parts: [{ kind: "literal", text, quoted: false }] });
const shape = (expression) => (expression === 1 ? { tree: { kind: "number", value: 1 } } : { tree: expression.tree });

/** A tree without places and sources. */
function plain(value) {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (value.target && value.operator in DESCRIPTORS) value = withDescriptor(value);
  if (value.both?.includes(true)) return plain({ ...value, both: [], commands: value.commands.map((each, index) => withBoth(each, value.both[index])) });
  const shaped = SHAPES[value.kind]?.(value) ?? value;
  return Object.fromEntries(Object.entries(shaped).filter(([key, each]) => !DROPPED.has(key) && each !== undefined).sort().map(([key, each]) => [key, plain(each)]));
}

/** Where a descriptor is closed, the operator tells nothing more. */
function withDescriptor({ operator, descriptor = DESCRIPTORS[operator], target, ...rest }) {
  return { ...rest, operator: target.source === "-" ? ">&" : operator, descriptor, target };
}

function withBoth(command, both) {
  if (!both) return command;
  return { ...command, redirections: [...command.redirections, { operator: ">&", descriptor: 2, target: literal("1") }] };
}

function round(script) {
  const tree = parseAll(script);
  const printed = unparseList(tree);
  const again = parseAll(printed);
  const [before, after] = [tree, again].map((each) => JSON.stringify(plain(each)));
  if (before !== after) return `${printed}\n${difference(before, after)}`;
  const twice = unparseList(again).replaceAll("coproc COPROC COPROC ", "coproc COPROC ");
  return twice === printed ? "" : difference(printed, twice);
}

function difference(before, after) {
  let at = 0;
  while (before[at] === after[at]) at++;
  return `${before.slice(Math.max(0, at - 60), at + 80)}\n${after.slice(Math.max(0, at - 60), at + 80)}`;
}

function faults(script) {
  parseAll(script);
  return "";
}

function functions(script) {
  const commands = parseAll(script).map(({ command }) => command.first.commands[0]);
  return commands.flatMap((each) => (each.kind === "function" ? [`${unparseFunction(each.name, each.body)}\n`] : [])).join("");
}

const ask = { faults, functions, round }[process.argv[2]];
const answers = JSON.parse(readFileSync(0, "utf8")).map((script) => {
  try {
    return ask(script);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) return `${error.stack}`;
    const { message, position, detail } = error;
    return process.argv[2] === "round" ? "" : `line ${position.line}: ${message}\n${detail === undefined ? "" : `line ${position.line}: ${detail}\n`}`;
  }
});
process.stdout.write(JSON.stringify(answers));
