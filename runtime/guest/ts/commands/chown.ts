import { describeErrno } from "../shell/io/errors";
import type { Command, Process } from "../shell/process";
import { Symlink } from "../vfs/inode";
import { chown as setOwner } from "../vfs/meta";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { command, Failure } from "./command";
import { type Options, UsageFault } from "./options";
import { ownerId, ownerName } from "./owners";
import { nameQuoted } from "./quoting";
import { quoted } from "./sizes";
import { visits } from "./visits";

const TABLE = {
  changes: ["-c, --changes", "tell of each change"],
  silent: ["-f, --silent, --quiet", "no messages"],
  verbose: ["-v, --verbose", "tell of each file"],
  dereference: ["--dereference", "follow symbolic links"],
  noDereference: ["-h, --no-dereference", "take symbolic links themselves"],
  from: ["--from=CURRENT", "only where the owner and group are these"],
  noPreserveRoot: ["--no-preserve-root", "ignored"],
  preserveRoot: ["--preserve-root", "ignored"],
  reference: ["--reference=FILE", "the owner and group of FILE"],
  recursive: ["-R, --recursive", "what is in directories, too"],
  operandLinks: ["-H", "with -R, follow operands"],
  allLinks: ["-L", "with -R, follow all links"],
  noLinks: ["-P", "with -R, follow no links"],
} as const;

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const SAME = -1;

function demandId(text: string, kind: string, whole: string): number {
  const id = ownerId(text);
  if (id === undefined) throw new Failure(`invalid ${kind}: ${quoted(whole)}`);
  return id;
}

/** `user`, `user:group`, `user:` and `:group`. */
function ownerOf(text: string): Owner {
  const [, user, colon, group] = /^([^:.]*)([:.]?)([^]*)$/.exec(text)!;
  const uid = user === "" ? SAME : demandId(user!, "user", text);
  if (group !== "") return { uid, gid: demandId(group!, "group", text) };
  return { uid, gid: colon === "" ? SAME : uid };
}

function referenceOwner(process: Process, path: string): Owner {
  try {
    const { uid } = find(process.context, path);
    return { uid, gid: uid };
  } catch (error) {
    throw new Failure(`failed to get attributes of ${nameQuoted(path)}: ${describeErrno(error)}`);
  }
}

function apply(process: Process, options: Options<typeof TABLE>, attempts: Attempts, path: string, owner: Owner, noun: string): void {
  const node = attempts.try(() => `cannot access ${nameQuoted(path)}`, () => find(process.context, path, !options.has("noDereference")));
  if (node === undefined) return;
  for (const visit of options.has("recursive") ? visits(process.context, path, node) : [{ path, node, stage: "file" }]) {
    if (visit.stage === "leave" || (visit.node instanceof Symlink && visit.path !== path)) continue;
    const done = attempts.done(() => `changing ${noun} of ${nameQuoted(visit.path)}`, () => setOwner(visit.node, owner.uid, owner.gid));
    if (done && options.has("verbose")) process.stdout.print(`${noun} of ${nameQuoted(visit.path)} retained as ${ownerName(visit.node.uid)}\n`);
  }
}

function ownership(name: string, what: string, noun: string, parse: (text: string) => Owner): Command {
  return command({
    name,
    usage: [`[OPTION]... ${what} FILE...`, "[OPTION]... --reference=FILE FILE..."],
    about: "Change whom files belong to. There is nobody to give a file to: only a change to its own owner succeeds.",
    options: TABLE,
    run(process, options, operands) {
      const reference = options.value("reference");
      const text = reference === undefined ? operands.shift() : undefined;
      if (operands.length === 0) throw new UsageFault(text === undefined ? "missing operand" : `missing operand after ${quoted(text)}`);
      const owner = reference === undefined ? parse(text!) : referenceOwner(process, reference);
      const quiet = options.has("silent") ? (Object.create(process, { stderr: { value: { print() {}, flush() {} } } }) as Process) : process;
      const attempts = new Attempts(quiet);
      for (const path of operands) apply(process, options, attempts, path, owner, noun);
      return attempts.status;
    },
  });
}

export const chown = ownership("chown", "[OWNER][:[GROUP]]", "ownership", ownerOf);
export const chgrp = ownership("chgrp", "GROUP", "group", (text) => ({ uid: SAME, gid: text === "" ? SAME : demandId(text, "group", text) }));
