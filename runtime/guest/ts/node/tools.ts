/** The owner's tools as functions: `await stripe.charges.create({…})`, and the object `tools` to look around. */

import { kernel } from "amla:kernel";
import { ToolArgumentError, UnknownToolError, toError } from "./tool_errors";

export {
  ToolArgumentError,
  ToolDeniedError,
  ToolError,
  ToolFailedError,
  ToolLimitError,
  ToolSchemaError,
  UnknownToolError,
} from "./tool_errors";

type ToolFunction = (...args: unknown[]) => Promise<unknown>;

/** A tree of paths, as the kernel gives it, to functions and namespaces; the key "" is the namespace's own tool. */
export function bind(tree: unknown): unknown {
  if (typeof tree === "string") return toolFunction(tree);
  const { "": own, "*": open, ...members } = tree as Record<string, unknown>;
  if (open !== undefined) return openNamespace(open as string);
  const target = own === undefined ? {} : toolFunction(own as string);
  for (const [name, child] of Object.entries(members)) {
    Object.defineProperty(target, name, { value: bind(child), enumerable: true, configurable: true, writable: true });
  }
  return target;
}

/** A global under which every name is a tool, since the owner's handler takes any; the host decides. */
function openNamespace(path: string): unknown {
  return new Proxy(toolFunction(path), {
    get: (target, name) => {
      if (typeof name !== "string" || name in target || name === "then") return Reflect.get(target, name) as unknown;
      return openNamespace(`${path}/${name}`);
    },
  });
}

function toolFunction(path: string): ToolFunction {
  const name = path.split("/").at(-1)!;
  const invoke: ToolFunction = (...args) => call(path, args);
  return Object.defineProperty(invoke, "name", { value: name, configurable: true });
}

/** A call without arguments means `{}`; anything but one object is refused, since tools take named arguments only. */
function call(path: string, args: unknown[]): Promise<unknown> {
  const at = kernel.trace.take();
  return new Promise((resolve, reject) => {
    kernel.tools.call(path, encode(path, args), (ok, value) => {
      if (ok) resolve(value);
      else reject(toError(value, at));
    });
  });
}

function encode(path: string, args: unknown[]): string | Uint8Array {
  const [value = {}] = args;
  if (args.length > 1 || typeof value !== "object" || value === null || Array.isArray(value)) {
    const example = `${path.replaceAll("/", ".")}({ name: value })`;
    throw new ToolArgumentError(`${path} takes one object of named arguments, as in ${example}`);
  }
  try {
    return kernel.encoding.stringify(value);
  } catch (error) {
    throw unfit(error) ? new ToolArgumentError(`${path}: ${error.message}`) : error;
  }
}

/** Whether the encoder refused a value, as opposed to a getter or `toJSON` that threw. */
function unfit(error: unknown): error is TypeError {
  return error instanceof TypeError && error.message.startsWith("argument ");
}

const known = (name: unknown): string => {
  const path = kernel.tools.canonical(String(name));
  if (!kernel.tools.has(path)) throw new UnknownToolError(String(name), kernel.tools.nearest(path));
  return path;
};

export const tools = {
  /** Names and descriptions of all declared tools. */
  list: () => kernel.tools.list(),
  /** Calls a tool by its name in any spelling: `stripe/charges/create`, `stripe.charges.create`. */
  call: async (name: unknown, ...args: unknown[]) => call(known(name), args),
  /** Description, parameters (JSON Schema) and grants of a tool. */
  describe: async (name: unknown) => {
    const path = known(name);
    return new Promise((resolve, reject) => {
      const at = kernel.trace.take();
      kernel.tools.describe(path, (ok, value) => (ok ? resolve(value) : reject(toError(value, at))));
    });
  },
};
