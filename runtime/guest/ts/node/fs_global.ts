/**
 * The `fs` that scripts find without an import: `await fs.readFile(…)` as models write it from memory, the callback
 * form when the last argument is a function, and the `…Sync` names beside them.
 */

const fs: typeof import("./fs").fs = require("node:fs");

type Any = (...args: unknown[]) => unknown;

const callbacks = fs as unknown as Record<string, Any>;
const promises = fs.promises as unknown as Record<string, Any>;

/** In Node only in callback form; as promises they settle to what their callbacks get. */
const DESCRIPTOR_CALLS = ["close", "fchmod", "fchown", "fdatasync", "fstat", "fsync", "ftruncate", "futimes"];

function either(name: string, promised: Any): Any {
  return (...args) => (typeof args.at(-1) === "function" ? callbacks[name]!(...args) : promised(...args));
}

function settled(name: string): Any {
  return async (...args) => callbacks[`${name}Sync`]!(...args);
}

function counted(name: string, count: string, subject: string): Any {
  return async (...args) => ({ [count]: callbacks[`${name}Sync`]!(...args), [subject]: args[1] });
}

const named = Object.keys(promises).filter((name) => typeof promises[name] === "function");

/** Copied as they are described: what `fs` makes when first asked for is not made here. */
const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(fs)) as Record<string, unknown>;

const hybrid = Object.assign(copy, {
  ...Object.fromEntries(named.map((name) => [name, either(name, promises[name]!)])),
  ...Object.fromEntries([...DESCRIPTOR_CALLS, "exists"].map((name) => [name, either(name, settled(name))])),
  read: either("read", counted("read", "bytesRead", "buffer")),
  write: either("write", counted("write", "bytesWritten", "buffer")),
  readv: either("readv", counted("readv", "bytesRead", "buffers")),
  writev: either("writev", counted("writev", "bytesWritten", "buffers")),
});

export {};
module.exports = hybrid;
