/** Errors about a script's syntax. */

/** A SyntaxError at a place in a file; lines and columns count from 1. */
export function faultAt(message: string, filename: string, line: number, column: number): SyntaxError {
  const fault = new SyntaxError(message);
  fault.stack = `SyntaxError: ${message}\n    at ${filename}:${line}:${column}`;
  return fault;
}
