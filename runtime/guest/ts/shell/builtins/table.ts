/** All builtins by name. */

import type { Builtin } from "./builtin";
import { bash } from "./bash";
import { cd, pwd } from "./cd";
import { compgen } from "./compgen";
import { declare, exportVariable, readonlyVariable } from "./declare";
import { dirs, popd, pushd } from "./directories";
import { echo } from "./echo";
import { breakLoop, colon, continueLoop, evaluate, exec, exit, leave, logout, no, shift, source } from "./flow";
import { getopts } from "./getopts";
import { bg, disown, fg, jobs, kill, wait } from "./jobs";
import { help } from "./help";
import { js } from "./js";
import { mapfile } from "./mapfile";
import { alias, builtin, command, enable, hash, type, unalias } from "./names";
import { caller, evaluateLet, quiet, times, umask, unsupported } from "./other";
import { printf } from "./printf";
import { read } from "./read";
import { set, shopt } from "./set";
import { test } from "./test";
import { tool } from "./tool";
import { trap } from "./trap";
import { ulimit } from "./ulimit";
import { unset } from "./unset";

export type { Builtin } from "./builtin";

export const builtins: ReadonlyMap<string, Builtin> = new Map(
  Object.entries({
    ".": source,
    ":": colon,
    "[": test,
    alias,
    bg,
    bind: quiet,
    break: breakLoop,
    builtin,
    caller,
    cd,
    command,
    compgen,
    complete: quiet,
    compopt: quiet,
    continue: continueLoop,
    declare,
    dirs,
    disown,
    echo,
    enable,
    eval: evaluate,
    exec,
    exit,
    export: exportVariable,
    false: no,
    fc: unsupported,
    fg,
    getopts,
    hash,
    help,
    history: quiet,
    jobs,
    kill,
    let: evaluateLet,
    local: declare,
    logout,
    mapfile,
    popd,
    printf,
    pushd,
    pwd,
    read,
    readarray: mapfile,
    readonly: readonlyVariable,
    return: leave,
    set,
    shift,
    shopt,
    source,
    suspend: unsupported,
    test,
    times,
    tool,
    trap,
    true: colon,
    type,
    typeset: declare,
    ulimit,
    umask,
    unalias,
    unset,
    wait,
  }),
);

/** Builtins that are also programs, so that `xargs echo` and `/bin/echo` work. */
const PROGRAMS = ["echo", "printf", "test", "[", "true", "false", "pwd", "kill", "tool"];

export const externals: ReadonlyMap<string, Builtin> = new Map([
  ...PROGRAMS.map((name) => [name, builtins.get(name)!] as const),
  ["bash", bash],
  ["js", js],
  ["sh", bash],
]);
