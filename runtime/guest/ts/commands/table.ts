/** All commands by name, as /bin lists them. */

import type { Command } from "../shell/process";
import { awk } from "./awk";
import { basename } from "./basename";
import { base32, base64, basenc } from "./basenc";
import { bc } from "./bc";
import { cat } from "./cat";
import { chmod } from "./chmod";
import { chown, chgrp } from "./chown";
import { cksum } from "./cksum";
import { clear } from "./clear";
import { cmp } from "./cmp";
import { column } from "./column";
import { comm } from "./comm";
import { cp } from "./cp";
import { csplit } from "./csplit";
import { cut } from "./cut";
import { date } from "./date";
import { dd } from "./dd";
import { df } from "./df";
import { diff } from "./diff";
import { diff3 } from "./diff3";
import { b2sum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum } from "./digests";
import { dirname } from "./dirname";
import { du } from "./du";
import { env } from "./env";
import { envsubst } from "./envsubst";
import { expand } from "./expand";
import { expr } from "./expr";
import { factor } from "./factor";
import { file } from "./file";
import { find } from "./find";
import { flock } from "./flock";
import { fmt } from "./fmt";
import { fold } from "./fold";
import { getopt } from "./getopt";
import { egrep, fgrep, grep } from "./grep";
import { gunzip, gzip, zcat } from "./gzip";
import { head } from "./head";
import { hd, hexdump } from "./hexdump";
import { hostname } from "./hostname";
import { id, whoami, groups } from "./id";
import { iconv } from "./iconv";
import { install } from "./install";
import { join } from "./join";
import { jq } from "./jq";
import { link, unlink } from "./link";
import { ln } from "./ln";
import { dir, ls, vdir } from "./ls";
import { mkdir } from "./mkdir";
import { mkfifo } from "./mkfifo";
import { mktemp } from "./mktemp";
import { mv } from "./mv";
import { nice } from "./nice";
import { nl } from "./nl";
import { nohup } from "./nohup";
import { nproc } from "./nproc";
import { numfmt } from "./numfmt";
import { od } from "./od";
import { less, more } from "./pager";
import { paste } from "./paste";
import { patch } from "./patch";
import { pathchk } from "./pathchk";
import { pr } from "./pr";
import { printenv } from "./printenv";
import { readlink } from "./readlink";
import { realpath } from "./realpath";
import { rev } from "./rev";
import { rg } from "./rg";
import { rm } from "./rm";
import { rmdir } from "./rmdir";
import { sdiff } from "./sdiff";
import { sed } from "./sed";
import { seq } from "./seq";
import { shuf } from "./shuf";
import { sleep } from "./sleep";
import { sort } from "./sort";
import { split } from "./split";
import { stat } from "./stat";
import { stdbuf } from "./stdbuf";
import { strings } from "./strings";
import { sum } from "./sum";
import { sync } from "./sync";
import { tac } from "./tac";
import { tail } from "./tail";
import { tar } from "./tar";
import { tee } from "./tee";
import { timeout } from "./timeout";
import { touch } from "./touch";
import { tr } from "./tr";
import { tree } from "./tree";
import { truncate } from "./truncate";
import { tsort } from "./tsort";
import { tty } from "./tty";
import { uname, arch } from "./uname";
import { unexpand } from "./unexpand";
import { uniq } from "./uniq";
import { unzip } from "./unzip";
import { uptime } from "./uptime";
import { wc } from "./wc";
import { which } from "./which";
import { xargs } from "./xargs";
import { xxd } from "./xxd";
import { yes } from "./yes";
import { yq } from "./yq";
import { zegrep, zfgrep, zgrep } from "./zgrep";
import { zip } from "./zip";

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>(
  Object.entries({
    arch,
    awk,
    b2sum,
    base32,
    base64,
    basename,
    basenc,
    bc,
    cat,
    chgrp,
    chmod,
    chown,
    cksum,
    clear,
    cmp,
    column,
    comm,
    cp,
    csplit,
    cut,
    date,
    dd,
    df,
    diff,
    diff3,
    dir,
    dirname,
    du,
    egrep,
    env,
    envsubst,
    expand,
    expr,
    factor,
    fgrep,
    file,
    find,
    flock,
    fmt,
    fold,
    gawk: awk,
    getopt,
    grep,
    groups,
    gunzip,
    gzip,
    hd,
    head,
    hexdump,
    hostname,
    id,
    iconv,
    install,
    join,
    jq,
    less,
    link,
    ln,
    ls,
    md5sum,
    mkdir,
    mkfifo,
    mktemp,
    more,
    mv,
    nice,
    nl,
    nohup,
    nproc,
    numfmt,
    od,
    paste,
    patch,
    pathchk,
    pr,
    printenv,
    readlink,
    realpath,
    rev,
    rg,
    rm,
    rmdir,
    sdiff,
    sed,
    seq,
    sha1sum,
    sha224sum,
    sha256sum,
    sha384sum,
    sha512sum,
    shuf,
    sleep,
    sort,
    split,
    stat,
    stdbuf,
    strings,
    sum,
    sync,
    tac,
    tail,
    tar,
    tee,
    timeout,
    touch,
    tr,
    tree,
    truncate,
    tsort,
    tty,
    uname,
    unexpand,
    uniq,
    unlink,
    unzip,
    uptime,
    vdir,
    wc,
    which,
    whoami,
    xargs,
    xxd,
    yes,
    yq,
    zcat,
    zegrep,
    zfgrep,
    zgrep,
    zip,
  }),
);
