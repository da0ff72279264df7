/** What to say of commands that are not here. */

import { table as tools } from "../../bridge/tools";
import { quoteNamed } from "../expand/quote";

/** Programs that scripts often reach for, by what does their work in the sandbox. */
const INSTEAD: readonly (readonly [names: string, instead: string])[] = [
  ["curl wget http", "the sandbox has no network; call a tool that the owner declared (`tool` lists them)"],
  ["ssh scp sftp ftp rsync nc netcat telnet ping dig host nslookup traceroute", "the sandbox has no network"],
  ["python python3", "not in the sandbox; use `js` for programs, or awk and jq"],
  ["perl", "not in the sandbox; use awk, sed or `js`"],
  ["ruby php lua Rscript", "not in the sandbox; use `js`"],
  ["node deno bun", "not in the sandbox under this name; use `js FILE` or `js -e CODE`"],
  ["npm npx yarn pip pip3 gem cargo apt apt-get apk yum dnf brew", "the sandbox installs no packages"],
  ["git", "not in the sandbox; use diff and patch on files"],
  ["gh aws gcloud az kubectl terraform", "not in the sandbox; call a tool that the owner declared (`tool` lists them)"],
  ["sqlite3 psql mysql redis-cli mongo", "not in the sandbox; keep data as CSV or JSON and use awk, join, sort and jq, or call a tool that asks a database"],
  ["docker podman systemctl service journalctl crontab at", "not in the sandbox"],
  ["make cmake gcc g++ cc clang go rustc java javac", "not in the sandbox; the shell, `js`, awk and jq run programs"],
  ["sudo su", "there are no users in the sandbox; leave it out"],
  ["ps top htop pgrep pkill killall pidof lsof", "there are no other processes in the sandbox; `jobs`, `kill` and `wait` know those of the script"],
  ["vi vim nano emacs ed", "no editor in the sandbox; write files with a here-document or sed -i"],
  ["tput stty reset", "there is no terminal; printf '\\033[1m' and the like print its codes"],
  ["watch", "not in the sandbox; use a loop with sleep"],
  ["man info", "not in the sandbox; COMMAND --help lists options"],
  ["bzip2 bunzip2 bzcat xz unxz xzcat zstd 7z", "not in the sandbox; use gzip or zip"],
  ["openssl gpg", "not in the sandbox; use sha256sum and the like, base64, or node:crypto in `js`"],
  ["shasum", "not in the sandbox; use sha1sum, sha256sum or sha512sum"],
  ["uuidgen", "not in the sandbox; use js -e 'console.log(crypto.randomUUID())'"],
  ["rename", "not in the sandbox; use a loop with mv and ${name/old/new}"],
  ["parallel", "not in the sandbox; use xargs -P, or & and wait"],
  ["sponge", "not in the sandbox; write to a temporary file, then mv it"],
  ["dc", "not in the sandbox; use bc"],
  ["dos2unix", "not in the sandbox; use sed -i 's/\\r$//'"],
];

function insteadOf(name: string): string | undefined {
  const path = tools.canonical(name);
  if (tools.has(path)) return `a tool; call it with \`tool ${path.replaceAll("/", ".")}'`;
  return INSTEAD.find(([names]) => names.split(" ").includes(name))?.[1];
}

export function missing(name: string): string {
  const instead = insteadOf(name);
  return `${quoteNamed(name)}: command not found${instead === undefined ? "" : ` (${instead})`}`;
}
