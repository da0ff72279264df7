/** The errors of tool calls: one class for each way in which a call can end badly. */

import { kernel } from "amla:kernel";
import type { Trace } from "../bridge/native";

export class ToolError extends Error {
  override name = "ToolError";
  code = "ERR_TOOL";
}

/** The call itself is malformed: not one object, or a value that JSON cannot carry. */
export class ToolArgumentError extends ToolError {
  override name = "ToolArgumentError";
  override code = "ERR_TOOL_ARGUMENT";
}

export class UnknownToolError extends ToolError {
  override name = "UnknownToolError";
  override code = "ERR_UNKNOWN_TOOL";
  constructor(name: string, nearest: string | undefined) {
    super(`there is no tool '${name}'${nearest === undefined ? "" : `; did you mean '${nearest}'?`}`);
  }
}

/** The arguments do not fit the tool's schema. */
export class ToolSchemaError extends ToolError {
  override name = "ToolSchemaError";
  override code = "ERR_TOOL_SCHEMA";
}

/** The policy does not allow the call. */
export class ToolDeniedError extends ToolError {
  override name = "ToolDeniedError";
  override code = "ERR_TOOL_DENIED";
}

/** A limit on calls is used up. */
export class ToolLimitError extends ToolError {
  override name = "ToolLimitError";
  override code = "ERR_TOOL_LIMIT";
}

/** The tool was called and failed. */
export class ToolFailedError extends ToolError {
  override name = "ToolFailedError";
  override code = "ERR_TOOL_FAILED";
}

const classes: Readonly<Record<string, new (message: string) => ToolError>> = {
  ERR_TOOL_SCHEMA: ToolSchemaError,
  ERR_TOOL_DENIED: ToolDeniedError,
  ERR_TOOL_LIMIT: ToolLimitError,
  ERR_TOOL_FAILED: ToolFailedError,
};

interface Refusal {
  code: string;
  message: string;
}

/** What the host answered, as an error whose stack is that of the call. */
export function toError(answer: unknown, at: Trace): ToolError {
  const { code, message, ...rest } = answer as Refusal & Record<string, unknown>;
  const error = code === "ERR_UNKNOWN_TOOL" ? new UnknownToolError(message, undefined) : new (classes[code] ?? ToolError)(message);
  error.message = message;
  Object.assign(error, rest);
  Object.defineProperty(error, "stack", { value: `${String(error)}\n${kernel.trace.text(at)}`, configurable: true, writable: true });
  return error;
}
