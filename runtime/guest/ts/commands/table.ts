/** All commands by name, as /bin lists them. */

import type { Command } from "../shell/process";
import { awk } from "./awk";
import { cat } from "./cat";
import { cut } from "./cut";
import { egrep, fgrep, grep } from "./grep";
import { head } from "./head";
import { jq } from "./jq";
import { paste } from "./paste";
import { seq } from "./seq";
import { sort } from "./sort";
import { tail } from "./tail";
import { tee } from "./tee";
import { tr } from "./tr";
import { uniq } from "./uniq";
import { wc } from "./wc";

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>(
  Object.entries({
    awk,
    cat,
    cut,
    egrep,
    fgrep,
    gawk: awk,
    grep,
    head,
    jq,
    paste,
    seq,
    sort,
    tail,
    tee,
    tr,
    uniq,
    wc,
  }),
);
