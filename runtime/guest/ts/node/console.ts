/** The global `console`, also as a module, and the class that prints to streams of a script's choice. */

import { kernel } from "amla:kernel";
import { coded } from "./errors";

interface Writable {
  write(text: string): unknown;
}

interface Streams {
  stdout: Writable;
  stderr?: Writable;
}

type Print = (...values: unknown[]) => void;

/** `trace`, which must run here: the stack that it prints is this realm's. */
function tracer(error: Print): Print {
  return function trace(...values) {
    const text = values.length === 0 ? "Trace" : `Trace: ${kernel.console.formatWithOptions(undefined, values)}`;
    error([text, ...scriptFrames(String(new Error().stack))].join("\n"));
  };
}

const INTERNAL = /\((?:node|amla):|\(native\)/;

function scriptFrames(stack: string): string[] {
  return stack.split("\n").filter((line) => line.startsWith("    at ") && !INTERNAL.test(line));
}

const isWritable = (value: unknown): value is Writable => typeof (value as Writable | undefined)?.write === "function";

function notWritable(name: string): Error {
  return coded(TypeError, "ERR_CONSOLE_WRITABLE_STREAM", `Console expects a writable stream instance for ${name}`);
}

/** A console that prints to streams: `new Console(stdout, stderr)` or `new Console({ stdout, stderr })`. */
class Console {
  constructor(target: Writable | Streams, second?: Writable) {
    const streams = isWritable(target) ? { stdout: target, stderr: second } : target;
    const { stdout, stderr = stdout } = streams;
    if (!isWritable(stdout)) throw notWritable("stdout");
    if (!isWritable(stderr)) throw notWritable("stderr");
    const write = (fd: 1 | 2, text: string): void => void (fd === 1 ? stdout : stderr).write(text);
    const methods = kernel.console.create(write, (text) => kernel.process.write(2, text));
    Object.assign(this, methods, { trace: tracer(methods.error) });
  }
}

const methods = kernel.print;
const global = { ...methods, trace: tracer(methods.error), Console };
Object.defineProperty(global, Symbol.toStringTag, { value: "console", configurable: true });

module.exports = global;
