/** What to say of commands that are not here. */

import { quoteNamed } from "../expand/quote";

/** Programs that scripts often reach for, and what does their work in the sandbox. */
const INSTEAD: Readonly<Record<string, string>> = {
  curl: "the sandbox has no network; call a tool that the owner declared (`tool` lists them)",
  wget: "the sandbox has no network; call a tool that the owner declared (`tool` lists them)",
  python: "not in the sandbox; use `js` for programs, or awk and jq",
  python3: "not in the sandbox; use `js` for programs, or awk and jq",
  perl: "not in the sandbox; use awk, sed or `js`",
  ruby: "not in the sandbox; use `js`",
  node: "not in the sandbox under this name; use `js FILE` or `js -e CODE`",
  npm: "the sandbox installs no packages",
  pip: "the sandbox installs no packages",
  git: "not in the sandbox; use diff and patch on files",
  sqlite3: "not in the sandbox; keep data as CSV or JSON and use awk, join, sort and jq, or call a tool that asks a database",
  ssh: "the sandbox has no network",
  docker: "not in the sandbox",
  sudo: "there are no users in the sandbox; leave it out",
  vi: "no editor in the sandbox; write files with a here-document or sed -i",
  vim: "no editor in the sandbox; write files with a here-document or sed -i",
  nano: "no editor in the sandbox; write files with a here-document or sed -i",
};

export function missing(name: string): string {
  const instead = Object.hasOwn(INSTEAD, name) ? ` (${INSTEAD[name]})` : "";
  return `${quoteNamed(name)}: command not found${instead}`;
}
