/** Classes that survive; errors of any other name come out as plain `Error`. */
const classes: Record<string, new (message?: string) => Error> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function define(error: Error, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, writable: true, configurable: true, enumerable: false });
}

function ownValue(error: Error, name: string): unknown {
  const found = Object.getOwnPropertyDescriptor(error, name);
  return found && "value" in found ? found.value : undefined;
}

export function makeError(error: Error): Error {
  if (error instanceof DOMException) return new DOMException(error.message, error.name);
  return new (classes[String(error.name)] ?? Error)();
}

/** Message, stack and cause; a script's own properties do not survive. */
export function fillError(copy: Error, error: Error, copyOf: (inner: unknown) => unknown): void {
  if (copy instanceof DOMException) return;
  const message = ownValue(error, "message");
  if (message !== undefined) define(copy, "message", String(message));
  define(copy, "stack", String(error.stack));
  if (Object.hasOwn(error, "cause")) define(copy, "cause", copyOf(error.cause));
}
