import { then, type Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { command } from "./command";
import { type Algorithm, ALGORITHMS, checkLists, DIGEST_OPTIONS, digestLine, type DigestOptions, digestSize } from "./digest";
import { eachInput } from "./files";
import { Filter } from "./filter";
import { UsageFault } from "./options";
import { quoted } from "./sizes";

const TABLE = {
  ...DIGEST_OPTIONS,
  algorithm: ["-a, --algorithm=TYPE", "crc (default), sysv, bsd, md5, sha1, sha224, sha256, sha384, sha512 or blake2b"],
  untagged: ["--untagged", "print digests as md5sum does"],
  length: ["-l, --length=BITS", "bits of a blake2b digest"],
} as const;

type Kind = "crc" | "sysv" | "bsd";

function isSum(type: string): type is Kind {
  return type === "crc" || type === "sysv" || type === "bsd";
}

const LAYOUT: Readonly<Record<Kind, (value: number, bytes: number) => string>> = {
  crc: (value, bytes) => `${value} ${bytes}`,
  sysv: (value, bytes) => `${value} ${Math.ceil(bytes / 512)}`,
  bsd: (value, bytes) => `${String(value).padStart(5, "0")} ${String(Math.ceil(bytes / 1024)).padStart(5)}`,
};

function printSums(process: Process, kind: Kind, operands: readonly string[], end: string): Maybe<number> {
  const filter = new Filter(process, "sums", { kind });
  return eachInput(process, operands, (reader, name) => {
    filter.configure({});
    return then(filter.finish(reader), () => {
      const [value, bytes] = filter.report as [number, number];
      process.stdout.print(`${LAYOUT[kind](value, bytes)}${operands.length > 0 ? ` ${name}` : ""}${end}`);
    });
  });
}

function demandAlgorithm(type: string): Algorithm {
  const algorithm = (ALGORITHMS as Record<string, Algorithm>)[type];
  if (!algorithm) throw new UsageFault(`invalid argument ${quoted(type)} for ${quoted("--algorithm")}`);
  return algorithm;
}

export const cksum = command({
  name: "cksum",
  usage: "[OPTION]... [FILE]...",
  about: "Print checksums of the files, or of standard input, or check them.",
  options: TABLE,
  async run(process, options, operands) {
    const type = options.value("algorithm") ?? "crc";
    const given = options as unknown as DigestOptions;
    if (options.has("check")) {
      if (isSum(type) && options.has("algorithm")) throw new UsageFault("--check is not supported with --algorithm={bsd,sysv,crc}");
      return checkLists(process, given, operands, isSum(type) ? undefined : demandAlgorithm(type));
    }
    if (isSum(type)) return printSums(process, type, operands, options.has("zero") ? "\0" : "\n");
    const algorithm = demandAlgorithm(type);
    const size = digestSize(options.value("length"), algorithm);
    const untagged = options.last("untagged", "tag") === "untagged";
    const layout = Object.create(given, { has: { value: (key: "tag") => (key === "tag" ? !untagged : given.has(key)) } }) as DigestOptions;
    return eachInput(process, operands, async (reader, name) => {
      process.stdout.print(digestLine(layout, algorithm, await algorithm.hash(process, reader, size), name));
    });
  },
});
