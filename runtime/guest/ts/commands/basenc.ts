import type { Command } from "../shell/process";
import { command, Failure } from "./command";
import { eachInput } from "./files";
import { Filter } from "./filter";
import { UsageFault } from "./options";
import { demandSize, quoted } from "./sizes";

interface Encoding {
  readonly alphabet: string;
  readonly pad?: boolean;
  readonly fold?: boolean;
  readonly low?: boolean;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
const BASE62 = LETTERS + LETTERS.toLowerCase() + DIGITS;

const ENCODINGS = {
  base64: { alphabet: `${BASE62}+/`, pad: true },
  base64url: { alphabet: `${BASE62}-_`, pad: true },
  base32: { alphabet: `${LETTERS}234567`, pad: true },
  base32hex: { alphabet: DIGITS + LETTERS.slice(0, 22), pad: true },
  base16: { alphabet: `${DIGITS}ABCDEF`, fold: true },
  base2msbf: { alphabet: "01" },
  base2lsbf: { alphabet: "01", low: true },
} as const satisfies Record<string, Encoding>;

const COMMON = {
  decode: ["-d, --decode", "decode"],
  ignore: ["-i, --ignore-garbage", "when decoding, ignore what is not of the alphabet"],
  wrap: ["-w, --wrap=COLS", "break lines after COLS columns, not 76; 0: never"],
} as const;

const CHOICE = {
  base64: ["--base64", "as base64"],
  base64url: ["--base64url", "the alphabet that is safe in URLs and names of files"],
  base32: ["--base32", "as base32"],
  base32hex: ["--base32hex", "the alphabet with digits first"],
  base16: ["--base16", "hexadecimal"],
  base2msbf: ["--base2msbf", "bits, the highest first"],
  base2lsbf: ["--base2lsbf", "bits, the lowest first"],
} as const;

const TABLE = { ...COMMON, ...CHOICE };
const KEYS = Object.keys(CHOICE) as (keyof typeof CHOICE)[];

function encoder(name: string, table: typeof COMMON | typeof TABLE, usual: Encoding | undefined): Command {
  return command({
    name,
    usage: "[OPTION]... [FILE]",
    about: `Encode FILE or standard input${usual ? ` in ${name}` : ""}, or decode it, and print it.`,
    options: table as typeof TABLE,
    async run(process, options, operands) {
      if (operands.length > 1) throw new UsageFault(`extra operand ${quoted(operands[1]!)}`);
      const chosen = options.last(...KEYS);
      const encoding: Encoding | undefined = usual ?? (chosen && ENCODINGS[chosen]);
      if (!encoding) throw new UsageFault("missing encoding type");
      const wrap = options.value("wrap");
      const decode = options.has("decode");
      const filter = new Filter(process, "basenc", {
        ...encoding,
        decode,
        ignore: options.has("ignore"),
        wrap: wrap === undefined ? 76 : demandSize(wrap, "invalid wrap size"),
      });
      const status = await eachInput(process, operands, async (reader) => {
        await filter.pump(reader);
        await filter.end();
      });
      if (decode && filter.report === false) throw new Failure("invalid input");
      return status;
    },
  });
}

export const base64 = encoder("base64", COMMON, ENCODINGS.base64);
export const base32 = encoder("base32", COMMON, ENCODINGS.base32);
export const basenc = encoder("basenc", TABLE, undefined);
