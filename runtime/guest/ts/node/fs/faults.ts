/** Errors of Node's own that only `fs` knows. */

import { coded, CodedError } from "../errors";

/** For what Node has and a sandbox can't: says what to do instead. */
export function unavailable(name: string, instead: string): CodedError {
  return coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", `${name} is not available in the sandbox: ${instead}`);
}

export interface Refusal {
  code: string;
  message: string;
  path: string;
  syscall: string;
  errno: number;
}

/** Node's SystemError, which `rm` and `cp` throw for what no system call would refuse. */
export function refused(code: string, words: string, info: Refusal): CodedError {
  const { syscall, path, errno } = info;
  const error = coded(Error, code, `${words}: ${syscall} returned ${info.code} (${info.message}) ${path}`);
  Object.defineProperty(error, "name", { value: "SystemError", configurable: true, writable: true });
  return Object.assign(error, { info, errno, syscall, path });
}
