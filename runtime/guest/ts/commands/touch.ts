import type { Process } from "../shell/process";
import { O_CREAT, O_WRONLY } from "../vfs/flags";
import { open } from "../vfs/open";
import { utimes } from "../vfs/meta";
import { exists } from "../vfs/meta";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { choose } from "./choices";
import { command, Failure } from "./command";
import { now } from "./date";
import { parsePhrase, parseStamp } from "./date_phrase";
import { type Moment, timeOf } from "./moments";
import { demandFiles } from "./operands";
import { type Options, UsageFault } from "./options";
import { nameQuoted } from "./quoting";
import { quoted } from "./sizes";
import { describeErrno } from "../shell/io/errors";
import { setMoments } from "./times";

const TABLE = {
  access: ["-a", "change only the access time"],
  noCreate: ["-c, --no-create", "do not make files"],
  date: ["-d, --date=STRING", "the time that STRING describes instead of now"],
  ignored: ["-f", "ignored"],
  noDereference: ["-h, --no-dereference", "change symbolic links themselves"],
  modification: ["-m", "change only the modification time"],
  reference: ["-r, --reference=FILE", "the times of FILE instead of now"],
  stamp: ["-t STAMP", "[[CC]YY]MMDDhhmm[.ss] instead of now"],
  time: ["--time=WORD", "access, atime, use: as -a; modify, mtime: as -m"],
} as const;

type Given = Options<typeof TABLE>;

interface Times {
  readonly atime: Moment;
  readonly mtime: Moment;
}

/** The times to set; undefined for the current one. */
function timesOf(process: Process, options: Given): Times | undefined {
  const tz = process.env.get("TZ");
  const stamp = options.value("stamp");
  const phrase = options.value("date");
  const reference = options.value("reference");
  if (stamp !== undefined && (phrase !== undefined || reference !== undefined)) throw new UsageFault("cannot specify times from more than one source");
  if (stamp !== undefined) return both(parseStamp(stamp, now(), tz), stamp);
  if (reference === undefined) return phrase === undefined ? undefined : both(parsePhrase(phrase, now(), tz), phrase);
  const times = referenceTimes(process, reference, !options.has("noDereference"));
  if (phrase === undefined) return times;
  const [atime, mtime] = [parsePhrase(phrase, times.atime, tz), parsePhrase(phrase, times.mtime, tz)];
  return { atime: both(atime, phrase).atime, mtime: both(mtime, phrase).mtime };
}

function both(moment: Moment | undefined, text: string): Times {
  if (!moment) throw new Failure(`invalid date format ${quoted(text)}`);
  return { atime: moment, mtime: moment };
}

function referenceTimes(process: Process, path: string, follow: boolean): Times {
  try {
    const node = find(process.context, path, follow);
    return { atime: timeOf(node, "atime"), mtime: timeOf(node, "mtime") };
  } catch (error) {
    throw new Failure(`failed to get attributes of ${nameQuoted(path)}: ${describeErrno(error)}`);
  }
}

const TIMES = { atime: "access", access: "access", use: "access", mtime: "modification", modify: "modification" } as const;

/** Which of the two times change. */
function which(options: Given): { atime: boolean; mtime: boolean } {
  const words = options.list("time").map((word) => choose(TIMES, word, "--time"));
  const atime = options.has("access") || words.includes("access");
  const mtime = options.has("modification") || words.includes("modification");
  return atime === mtime ? { atime: true, mtime: true } : { atime, mtime };
}


function touchOne(process: Process, path: string, options: Given, given: Times | undefined, changes: { atime: boolean; mtime: boolean }): void {
  const { context } = process;
  const follow = !options.has("noDereference");
  if (path === "-") return;
  if (!exists(context, path, follow)) {
    if (options.has("noCreate") || !follow) return follow ? undefined : void find(context, path, follow);
    open(context, path, O_WRONLY | O_CREAT, 0o666).close();
    if (!given) return;
  }
  const node = find(context, path, follow);
  const current = given ?? both(now(), "");
  if (!given && changes.atime && changes.mtime) {
    const ms = context.volume.changing(node).ctime;
    utimes(context, node, ms, ms);
    return;
  }
  setMoments(context, node, changes.atime ? current.atime : timeOf(node, "atime"), changes.mtime ? current.mtime : timeOf(node, "mtime"));
}

export const touch = command({
  name: "touch",
  usage: "[OPTION]... FILE...",
  about: "Set the access and modification times of each FILE to now; make those that are not there.",
  options: TABLE,
  run(process, options, operands) {
    const times = timesOf(process, options);
    const changes = which(options);
    demandFiles(operands);
    const attempts = new Attempts(process);
    for (const path of operands) {
      attempts.done(() => `cannot touch ${nameQuoted(path)}`, () => touchOne(process, path, options, times, changes));
    }
    return attempts.status;
  },
});
