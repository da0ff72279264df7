import { describeErrno } from "../shell/io/errors";
import { then, type Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { Device, Directory, RegularFile, Symlink } from "../vfs/inode";
import { find } from "../vfs/walk";
import { command } from "./command";
import { readText } from "./files";
import { type Kind, kindOf, SAMPLE } from "./file_magic";
import type { Options } from "./options";
import { UsageFault } from "./options";
import { allowed, R_OK } from "../vfs/access";

const TABLE = {
  brief: ["-b, --brief", "no names in front"],
  encoding: ["--mime-encoding", "print only the encoding"],
  error: ["-E", "end with status 1 when a file cannot be read"],
  list: ["-f, --files-from=FILE", "read the names from FILE"],
  separator: ["-F, --separator=STRING", "print STRING instead of : behind names"],
  dereference: ["-L, --dereference", "follow symbolic links"],
  mime: ["-i, --mime", "print MIME types"],
  mimeType: ["--mime-type", "print MIME types without encodings"],
  noDereference: ["-h, --no-dereference", "do not follow symbolic links"],
  keepGoing: ["-k, --keep-going", "ignored"],
  noPad: ["-N, --no-pad", "do not align"],
  noBuffer: ["-n, --no-buffer", "ignored"],
  preserve: ["-p, --preserve-date", "ignored"],
  raw: ["-r, --raw", "ignored"],
  special: ["-s, --special-files", "ignored"],
  uncompress: ["-z, --uncompress", "ignored"],
  zero: ["-0, --print0", "a NUL byte behind names"],
} as const;

type Given = Options<typeof TABLE>;

const special = (words: string, name: string): Kind => ({ words, mime: `inode/${name}`, charset: "binary" });

function judged(process: Process, options: Given, path: string): Maybe<Kind> {
  if (path === "-") return then(process.stdin.all(), (bytes) => (bytes.length === 0 ? special("empty", "x-empty") : kindOf(bytes.subarray(0, SAMPLE))));
  const { context } = process;
  const node = find(context, path, options.has("dereference"));
  if (node instanceof Directory) return special(node.mode & 0o1000 ? "sticky, directory" : "directory", "directory");
  if (node instanceof Symlink) return special(linkWords(process, path, node), "symlink");
  if (node instanceof Device) return special(`character special (1/${node.ino})`, "chardevice");
  if (!(node instanceof RegularFile)) return special("fifo (named pipe)", "fifo");
  if (node.size === 0) return special("empty", "x-empty");
  if (!allowed(context, node, R_OK)) return special("regular file, no read permission", "x-unknown");
  return kindOf(node.content.view().subarray(0, SAMPLE));
}

function linkWords(process: Process, path: string, node: Symlink): string {
  try {
    find(process.context, path);
    return `symbolic link to ${node.target}`;
  } catch (error) {
    if (error instanceof Errno) return `broken symbolic link to ${node.target}`;
    throw error;
  }
}

function shown(options: Given, { words, mime, charset }: Kind): string {
  if (options.has("mimeType")) return mime;
  if (options.has("encoding")) return charset;
  return options.has("mime") ? `${mime}; charset=${charset}` : words;
}

export const file = command({
  name: "file",
  usage: "[OPTION]... [FILE]...",
  about: "Say what each FILE seems to hold.",
  options: TABLE,
  async run(process, options, operands) {
    const names = [...operands];
    for (const list of options.list("list")) names.push(...(await readText(process, list)).split("\n").filter((name) => name !== ""));
    if (names.length === 0) throw new UsageFault("missing file operand");
    const width = options.has("noPad") ? 0 : Math.max(...names.map((name) => (name === "-" ? "/dev/stdin" : name).length)) + 1;
    let status = 0;
    for (const name of names) {
      let text: string;
      try {
        text = shown(options, await judged(process, options, name));
      } catch (error) {
        text = `cannot open \`${name}' (${describeErrno(error)})`;
        if (options.has("error")) status = 1;
      }
      const title = (name === "-" ? "/dev/stdin" : name) + (options.has("zero") ? "\0" : "") + (options.value("separator") ?? ":");
      process.stdout.print(`${options.has("brief") ? "" : `${title.padEnd(width)} `}${text}\n`);
    }
    return status;
  },
});
