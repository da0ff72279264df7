/** All commands by name, as /bin lists them. */

import type { Command } from "../shell/process";
import { awk } from "./awk";
import { basename } from "./basename";
import { cat } from "./cat";
import { cp } from "./cp";
import { cut } from "./cut";
import { date } from "./date";
import { dirname } from "./dirname";
import { egrep, fgrep, grep } from "./grep";
import { head } from "./head";
import { jq } from "./jq";
import { ln } from "./ln";
import { ls } from "./ls";
import { mkdir } from "./mkdir";
import { mv } from "./mv";
import { paste } from "./paste";
import { rm } from "./rm";
import { rmdir } from "./rmdir";
import { seq } from "./seq";
import { sort } from "./sort";
import { tail } from "./tail";
import { tee } from "./tee";
import { touch } from "./touch";
import { tr } from "./tr";
import { uniq } from "./uniq";
import { wc } from "./wc";

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>(
  Object.entries({
    awk,
    basename,
    cat,
    cp,
    cut,
    date,
    dirname,
    egrep,
    fgrep,
    gawk: awk,
    grep,
    head,
    jq,
    ln,
    ls,
    mkdir,
    mv,
    paste,
    rm,
    rmdir,
    seq,
    sort,
    tail,
    tee,
    touch,
    tr,
    uniq,
    wc,
  }),
);
