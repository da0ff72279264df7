import { kernel } from "amla:kernel";
import { invalidType } from "../errors";

interface Warning extends Error {
  code?: string;
  detail?: string;
}

interface Options {
  type?: string;
  code?: string;
  detail?: string;
}

function makeWarning(warning: unknown, options: Options): Warning {
  if (warning instanceof Error) return warning;
  if (typeof warning !== "string") throw invalidType("warning", "of type string or an instance of Error", warning);
  const made: Warning = Object.assign(new Error(warning), { name: options.type ?? "Warning" });
  Object.defineProperty(made, "name", { enumerable: false });
  if (options.code !== undefined) made.code = options.code;
  if (options.detail !== undefined) made.detail = options.detail;
  return made;
}

const deprecationsSeen = new Set<string>();

/** `emitWarning(warning[, type[, code]])` or `emitWarning(warning, options)`: a line on standard error, and an event. */
export function emitWarning(warning: unknown, type?: string | Options, code?: string): void {
  const options: Options = typeof type === "object" && type !== null ? type : {};
  if (typeof type === "string") options.type = type;
  if (typeof code === "string") options.code = code;
  const made = makeWarning(warning, options);
  if (made.name === "DeprecationWarning") {
    if (deprecationsSeen.has(`${made.code}${made.message}`)) return;
    deprecationsSeen.add(`${made.code}${made.message}`);
  }
  const process = require("node:process");
  process.nextTick(() => {
    const label = made.code === undefined ? "" : `[${made.code}] `;
    kernel.process.write(
      2,
      `(node:${process.pid}) ${label}${made.name}: ${made.message}\n${made.detail ? `${made.detail}\n` : ""}`,
    );
    process.emit("warning", made);
  });
}
