import { unsetElement } from "../expand/assign";
import { givenReference } from "../expand/references";
import { each, then, type Maybe } from "../io/maybe";
import { isCommandFault } from "../run/errors";
import { unexport } from "../run/exported_functions";
import type { Shell } from "../run/shell";
import { type Builtin, readOptions, refuse } from "./builtin";

const NAME = /^[A-Za-z_]\w*$/;

export const unset: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "fvn", "unset [-f] [-v] [-n] [name ...]");
  if (options.has("f") && options.has("v")) refuse(name, "cannot simultaneously unset a function and a variable");
  let status = 0;
  const one = (operand: string): Maybe<void> => {
    try {
      return remove(shell, operand, options, name);
    } catch (error) {
      if (!isCommandFault(error)) throw error;
      shell.warn(error.message.startsWith(name) ? error.message : `${name}: ${error.message}`);
      status = 1;
    }
  };
  return then(each(operands, one), () => status);
};

function forget(shell: Shell, name: string): boolean {
  const known = shell.removeFunction(name);
  if (known) unexport(shell, name);
  return known;
}

function remove(shell: Shell, operand: string, options: ReadonlyMap<string, string>, name: string): Maybe<void> {
  if (options.has("f")) {
    forget(shell, operand);
    return;
  }
  if (givenReference(shell, operand)?.subscript !== undefined) return unsetElement(shell, operand);
  if (!NAME.test(operand)) {
    if (options.has("v") || options.has("n")) refuse(name, `\`${operand}': not a valid identifier`);
    forget(shell, operand);
    return;
  }
  const own = shell.variables.own(operand);
  if (options.has("n") && !own?.nameref && !own?.readonly) return;
  const target = options.has("n") ? operand : shell.variables.target(operand);
  if (target.includes("[")) return unsetElement(shell, target);
  if (!shell.variables.own(target) && !options.has("v") && forget(shell, operand)) return;
  shell.variables.unset(target);
}
