import { type AwkHandle, native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { zoneChanges } from "../shell/format/zone";
import { finally_, then, type Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { AwkRun } from "./awk_world";
import { command, Failure, versionOf } from "./command";
import { readText } from "./files";
import { bytewise } from "./locale";
import { type Options, UsageFault } from "./options";

const TABLE = {
  file: ["-f, --file=PROGFILE", "take the program from PROGFILE; may be given several times"],
  separator: ["-F, --field-separator=FS", "separate fields by FS"],
  assign: ["-v, --assign=VAR=VALUE", "assign before the program starts"],
  source: ["-e, --source=TEXT", "take the program from TEXT; may be given several times"],
  exec: ["-E, --exec=FILE", "as -f, and the last option"],
  bytes: ["-b, --characters-as-bytes", "take each byte for a character"],
  traditional: ["-c, --traditional", "ignored"],
  lint: ["-L, --lint[=WHICH]", "ignored"],
  lintOld: ["-t, --lint-old", "ignored"],
  numeric: ["-N, --use-lc-numeric", "ignored"],
  optimize: ["-O, --optimize", "ignored"],
  noOptimize: ["-s, --no-optimize", "ignored"],
  posix: ["-P, --posix", "ignored"],
  interval: ["-r, --re-interval", "ignored"],
  sandbox: ["-S, --sandbox", "ignored"],
  versionShort: ["-V", "as --version"],
  helpShort: ["-h", "as --help"],
  include: ["-i, --include=FILE", "only inplace: replace each file by what is printed while it is read"],
  load: ["-l, --load=LIBRARY", "not supported"],
  nonDecimal: ["-n, --non-decimal-data", "not supported"],
  bignum: ["-M, --bignum", "not supported"],
  debug: ["-D, --debug[=FILE]", "not supported"],
  dump: ["-d, --dump-variables[=FILE]", "not supported"],
  pretty: ["-o, --pretty-print[=FILE]", "not supported"],
  profile: ["-p, --profile[=FILE]", "not supported"],
  translate: ["-g, --gen-pot", "not supported"],
} as const;

type Given = Options<typeof TABLE>;

const FATAL = 2;
/** The one library that can be included, and the variables that it takes a suffix for copies from. */
const IN_PLACE = "inplace";
const SUFFIX = /^(?:inplace::suffix|INPLACE_SUFFIX)=([^]*)$/;
const PROGRAM_OPTIONS = ["file", "source", "exec"];

function refuseUnsupported(options: Given): void {
  for (const { key, value } of options.order) {
    const [flags, help] = TABLE[key];
    if (help === "not supported" || (key === "include" && value !== IN_PLACE)) throw new Failure(`option ${flags.replace(/[=[].*/, "").replace(", ", " (")})${value ? ` ${value}` : ""} is not supported here`, FATAL);
  }
}

async function addSources(process: Process, handle: AwkHandle, options: Given): Promise<void> {
  for (const { key, value } of options.order) {
    if (key === "source") native.awk.source(handle, undefined, native.text.encode(value!));
    if (key !== "file" && key !== "exec") continue;
    let text: string;
    try {
      text = await readText(process, value!);
    } catch (error) {
      throw new Failure(`fatal: cannot open source file \`${value}' for reading: ${describeErrno(error)}`, FATAL);
    }
    native.awk.source(handle, value, native.text.encode(text));
  }
}

function addAssignments(handle: AwkHandle, options: Given): void {
  for (const { key, value } of options.order) {
    if (key === "separator") native.awk.assign(handle, native.text.encode(`FS=${value}`));
    if (key !== "assign" || SUFFIX.test(value!)) continue;
    const [, name] = /^([^=]*)=/.exec(value!) ?? [];
    if (name === undefined) throw new UsageFault(`\`${value}' argument to \`-v' not in \`var=value' form`);
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new Failure(`fatal: \`${name}' is not a legal variable name`, FATAL);
    native.awk.assign(handle, native.text.encode(value!));
  }
}

function suffixOf(options: Given): string {
  return options.list("assign").reduce((suffix, text) => SUFFIX.exec(text)?.[1] ?? suffix, "");
}

function addZone(handle: AwkHandle, tz: string | undefined): void {
  const changes = zoneChanges(tz);
  if (!changes) return;
  const rows = new Float64Array(changes.flatMap(([from, { offset }]) => [from / 1000, offset / 1000]));
  const names = changes.map(([, { abbreviation }]) => `${abbreviation}\0`).join("");
  native.awk.zone(handle, new Uint8Array(rows.buffer), native.text.encode(names));
}

function addWorld(process: Process, handle: AwkHandle, operands: readonly string[]): void {
  for (const word of [process.name, ...operands]) native.awk.argument(handle, native.text.encode(word));
  for (const [name, value] of process.env) native.awk.environment(handle, native.text.encode(name), native.text.encode(value));
  addZone(handle, process.env.get("TZ"));
}

function prepare(process: Process, handle: AwkHandle, options: Given, operands: string[]): Maybe<void> {
  refuseUnsupported(options);
  addAssignments(handle, options);
  if (options.order.some(({ key }) => PROGRAM_OPTIONS.includes(key))) {
    return addSources(process, handle, options).then(() => addWorld(process, handle, operands));
  }
  const program = operands.shift();
  if (program === undefined) throw new UsageFault("Usage: awk [POSIX or GNU style options] -f progfile [--] file ...\nUsage: awk [POSIX or GNU style options] [--] 'program' file ...");
  native.awk.source(handle, undefined, native.text.encode(program));
  addWorld(process, handle, operands);
}

export const awk = command({
  name: "awk",
  usage: ["[OPTION]... [--] PROGRAM [FILE]...", "[OPTION]... -f PROGFILE [--] [FILE]..."],
  about: "Find lines that match patterns and process them: POSIX awk with the functions of GNU awk.",
  options: TABLE,
  inOrder: true,
  run(process, options, operands) {
    if (options.has("versionShort")) return then(process.stdout.write(versionOf("awk")), () => 0);
    const inPlace = options.has("include");
    const handle = native.awk.create(bytewise(process) || options.has("bytes"), inPlace);
    const run = new AwkRun(process, handle, inPlace ? suffixOf(options) : undefined);
    const work = (): Maybe<number> => then(prepare(process, handle, options, operands), () => run.run());
    return finally_(work, () => {
      run.dispose();
      native.awk.free(handle);
    });
  },
});
