/** All builtins by name. */

import type { Builtin } from "./builtin";
import { cd, pwd } from "./cd";
import { echo } from "./echo";
import { breakLoop, colon, continueLoop, evaluate, exec, exit, leave, no, shift, source } from "./flow";
import { test } from "./test";

export type { Builtin } from "./builtin";

export const builtins: ReadonlyMap<string, Builtin> = new Map(
  Object.entries({
    ":": colon,
    true: colon,
    false: no,
    echo,
    cd,
    pwd,
    exit,
    return: leave,
    break: breakLoop,
    continue: continueLoop,
    eval: evaluate,
    source,
    ".": source,
    exec,
    shift,
    test,
    "[": test,
  }),
);

/** Builtins that are also programs, so that `xargs echo` and `/bin/echo` work. */
const PROGRAMS = ["echo", "printf", "test", "[", "true", "false", "pwd", "kill"];

export const externals: ReadonlyMap<string, Builtin> = new Map(
  PROGRAMS.flatMap((name) => {
    const builtin = builtins.get(name);
    return builtin ? [[name, builtin] as const] : [];
  }),
);
