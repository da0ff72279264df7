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
