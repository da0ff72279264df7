/** Errors that end a command, or the shell, with a message. */

/** Printed as `script: line N: message`; ends the running command with the status. */
export class ShellError extends Error {
  constructor(
    message: string,
    readonly status = 1,
    /** Ends the whole shell, as an expansion error does in a script. */
    readonly fatal = false,
  ) {
    super(message);
    this.name = "ShellError";
  }
}

/** A variable that is not to be set, or that is not set: under `set -e` the shell ends, whatever the command is part of (see `Shell.report`). */
export class VariableFault extends ShellError {}

export function refuseReadonly(name: string): never {
  throw new VariableFault(`${name}: readonly variable`);
}

/** A text that is to name a variable and does not; a builtin says its own name in front. */
export class NameFault extends ShellError {
  constructor(text: string) {
    super(`\`${text}': not a valid identifier`);
  }
}

/** Abandons the command line that is running, also where a builtin finds it. */
export class LineFault extends ShellError {}

/** The same for all text that is evaluated, up to the script's own line; the text of `bash -c` ends. */
export class ScriptFault extends LineFault {}

/** There is no room for another process: nothing is wrong with the script's words. */
export class RoomFault extends ShellError {}

/** Whether an error ends no more than the command, or the part of one, that it comes up in. */
export function isCommandFault(error: unknown): error is ShellError {
  return error instanceof ShellError && !error.fatal && !(error instanceof LineFault);
}

/** Says what is wrong where that came up; whoever catches the error on another line has nothing to add. */
export function tellHere(shell: { warn(message: string): void }, error: unknown): void {
  if (!(error instanceof ShellError) || error.message === "") return;
  shell.warn(error.message);
  error.message = "";
}

/** How a builtin is called: printed without the script's name and line. */
export class UsageFault extends ShellError {
  constructor(name: string, usage: string) {
    super(`${name}: usage: ${usage}`, 2);
  }
}

/** What the engine says where a limit of its own is met, and what to say of it. */
const LIMITS: readonly (readonly [RegExp, string])[] = [
  [/call stack/, "maximum nesting exceeded: use a loop in place of recursion"],
  [/string (too long|length)|too large to allocate/i, "a text grew longer than this sandbox can hold (1 GiB): write it to a file, and work through it line by line"],
  [/too many arguments/, "too many words for this sandbox: work through them with a loop or a pipe"],
];

/** The message for an error of the engine that a script's size or depth led to. Memory is none of them: it ends the run. */
export function exceeded(error: unknown): string | undefined {
  if (!(error instanceof RangeError || (error instanceof Error && error.name === "InternalError"))) return undefined;
  return LIMITS.find(([pattern]) => pattern.test(error.message))?.[1];
}
