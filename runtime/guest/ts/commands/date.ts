import { native } from "../bridge/native";
import { formatTime, isInCalendar } from "../shell/format/time";
import type { Process } from "../shell/process";
import { find } from "../vfs/walk";
import { choose } from "./choices";
import { command, complain, Failure } from "./command";
import { parsePhrase } from "./date_phrase";
import { eachInput } from "./files";
import { type Moment, momentOfMs, timeOf } from "./moments";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";
import { nameShown } from "./quoting";
import { orFail } from "./named";

const TABLE = {
  date: ["-d, --date=STRING", "the time that STRING describes, instead of now"],
  debug: ["--debug", "ignored"],
  file: ["-f, --file=DATEFILE", "as -d for each line of DATEFILE"],
  iso: ["-I, --iso-8601[=FMT]", "ISO 8601: date, hours, minutes, seconds or ns"],
  resolution: ["--resolution", "print the clock's resolution"],
  email: ["-R, --rfc-email, --rfc-2822, --rfc-822", "RFC 5322: Mon, 14 Aug 2006 02:34:56 -0600"],
  rfc: ["--rfc-3339=FMT", "RFC 3339: date, seconds or ns"],
  reference: ["-r, --reference=FILE", "the time of FILE's last change"],
  set: ["-s, --set=STRING", "not possible here"],
  utc: ["-u, --utc, --universal, --uct", "in UTC"],
} as const;

const USUAL = "%a %b %e %H:%M:%S %Z %Y";
const EMAIL = "%a, %d %b %Y %H:%M:%S %z";
const ISO: Readonly<Record<string, string>> = {
  hours: "%Y-%m-%dT%H%:z",
  minutes: "%Y-%m-%dT%H:%M%:z",
  date: "%Y-%m-%d",
  seconds: "%Y-%m-%dT%H:%M:%S%:z",
  ns: "%Y-%m-%dT%H:%M:%S,%N%:z",
};
const RFC: Readonly<Record<string, string>> = { date: "%Y-%m-%d", seconds: "%Y-%m-%d %H:%M:%S%:z", ns: "%Y-%m-%d %H:%M:%S.%N%:z" };

/** The old way to set the clock: MMDDhhmm[[CC]YY][.ss]. */
const SETTING = /^\d{8}(\d{2}){0,2}(\.\d{2})?$/;

function formatOf(options: Options<typeof TABLE>, operands: string[]): string {
  const formats = options.order.flatMap(({ key, value }) => {
    if (key === "iso") return [choose(ISO, value ?? "date", "--iso-8601")];
    if (key === "rfc") return [choose(RFC, value!, "--rfc-3339")];
    return key === "email" ? [EMAIL] : key === "resolution" ? ["%s.%N"] : [];
  });
  const [operand, extra] = operands;
  if (extra !== undefined) throw new UsageFault(`extra operand ${quoted(extra)}`);
  if (operand?.startsWith("+")) formats.push(operand.slice(1));
  else if (operand !== undefined && options.last("date", "file", "reference") !== undefined) {
    throw new UsageFault(`the argument ${quoted(operand)} lacks a leading '+';\nwhen using an option to specify date(s), any non-option\nargument must be a format string beginning with '+'`);
  } else if (operand !== undefined) throw new Failure(SETTING.test(operand) ? "cannot set date: Operation not permitted" : `invalid date ${quoted(operand)}`);
  if (formats.length > 1) throw new Failure("multiple output formats specified");
  return formats[0] ?? USUAL;
}

export function now(): Moment {
  return momentOfMs(native.clock.now());
}

function demandPhrase(text: string, tz: string | undefined): Moment {
  const moment = parsePhrase(text, now(), tz);
  if (!moment) throw new Failure(`invalid date ${quoted(text)}`);
  return moment;
}

function fileTime(process: Process, path: string): Moment {
  return orFail(nameShown(path), () => timeOf(find(process.context, path), "mtime"));
}

export const date = command({
  name: "date",
  usage: "[OPTION]... [+FORMAT]",
  about: "Print the time, or another one that is described.",
  options: TABLE,
  async run(process, options, operands) {
    const sources = (["date", "file", "reference"] as const).filter((key) => options.has(key));
    if (sources.length > 1) throw new UsageFault("the options to specify dates for printing are mutually exclusive");
    const format = formatOf(options, operands);
    if (options.has("set")) throw new Failure("cannot set date: Operation not permitted");
    const tz = options.has("utc") ? "UTC0" : process.env.get("TZ");
    const show = ({ seconds, nanosecond }: Moment): void => {
      if (!isInCalendar(seconds)) throw new Failure(`time ${quoted(String(seconds))} is out of range`);
      process.stdout.print(`${formatTime(format, seconds, tz, nanosecond)}\n`);
    };
    const list = options.value("file");
    if (list !== undefined) return eachLine(process, list, tz, show);
    const [phrase, reference] = [options.value("date"), options.value("reference")];
    if (options.has("resolution")) show({ seconds: 0, nanosecond: 1 });
    else show(phrase !== undefined ? demandPhrase(phrase, tz) : reference !== undefined ? fileTime(process, reference) : now());
    return 0;
  },
});

async function eachLine(process: Process, list: string, tz: string | undefined, show: (moment: Moment) => void): Promise<number> {
  let status = 0;
  const read = await eachInput(process, [list], async (reader) => {
    for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
      const moment = parsePhrase(line, now(), tz);
      if (moment) show(moment);
      else {
        complain(process, `invalid date ${quoted(line)}`);
        status = 1;
      }
    }
  });
  return Math.max(status, read);
}
