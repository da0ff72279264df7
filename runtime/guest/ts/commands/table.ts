/** All commands by name, as /bin lists them. */

import type { Command } from "../shell/process";
import { awk } from "./awk";
import { basename } from "./basename";
import { base32, base64, basenc } from "./basenc";
import { cat } from "./cat";
import { chmod } from "./chmod";
import { cksum } from "./cksum";
import { column } from "./column";
import { comm } from "./comm";
import { cp } from "./cp";
import { csplit } from "./csplit";
import { cut } from "./cut";
import { date } from "./date";
import { b2sum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum } from "./digests";
import { dirname } from "./dirname";
import { expand } from "./expand";
import { factor } from "./factor";
import { find } from "./find";
import { fmt } from "./fmt";
import { fold } from "./fold";
import { egrep, fgrep, grep } from "./grep";
import { head } from "./head";
import { hd, hexdump } from "./hexdump";
import { join } from "./join";
import { jq } from "./jq";
import { ln } from "./ln";
import { ls } from "./ls";
import { mkdir } from "./mkdir";
import { mv } from "./mv";
import { nl } from "./nl";
import { numfmt } from "./numfmt";
import { od } from "./od";
import { paste } from "./paste";
import { pr } from "./pr";
import { rev } from "./rev";
import { rm } from "./rm";
import { rmdir } from "./rmdir";
import { seq } from "./seq";
import { shuf } from "./shuf";
import { sort } from "./sort";
import { split } from "./split";
import { strings } from "./strings";
import { sum } from "./sum";
import { tac } from "./tac";
import { tail } from "./tail";
import { tee } from "./tee";
import { touch } from "./touch";
import { tr } from "./tr";
import { tsort } from "./tsort";
import { unexpand } from "./unexpand";
import { uniq } from "./uniq";
import { wc } from "./wc";
import { xargs } from "./xargs";
import { xxd } from "./xxd";
import { yes } from "./yes";

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>(
  Object.entries({
    awk,
    b2sum,
    base32,
    base64,
    basename,
    basenc,
    cat,
    chmod,
    cksum,
    column,
    comm,
    cp,
    csplit,
    cut,
    date,
    dirname,
    egrep,
    expand,
    factor,
    fgrep,
    find,
    fmt,
    fold,
    gawk: awk,
    grep,
    hd,
    head,
    hexdump,
    join,
    jq,
    ln,
    ls,
    md5sum,
    mkdir,
    mv,
    nl,
    numfmt,
    od,
    paste,
    pr,
    rev,
    rm,
    rmdir,
    seq,
    sha1sum,
    sha224sum,
    sha256sum,
    sha384sum,
    sha512sum,
    shuf,
    sort,
    split,
    strings,
    sum,
    tac,
    tail,
    tee,
    touch,
    tr,
    tsort,
    unexpand,
    uniq,
    wc,
    xargs,
    xxd,
    yes,
  }),
);
