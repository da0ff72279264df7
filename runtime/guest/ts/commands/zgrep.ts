import { joinedBytes } from "../bridge/bytes";
import { Reader } from "../shell/io/reader";
import type { Command, Process } from "../shell/process";
import { O_RDONLY } from "../vfs/flags";
import { OpenRegular } from "../vfs/openfile";
import { Broken } from "./codec";
import { Failure } from "./command";
import { openReader, using } from "./files";
import { grepCommand, withFlag } from "./grep";
import { decompress } from "./gzip_stream";

/** What a file holds, decompressed if it is compressed. */
async function openUnpacked(process: Process, name: string): Promise<Reader> {
  const packed = openReader(process, name);
  const pieces: Uint8Array[] = [];
  try {
    await using(process, packed, () => decompress(packed, (bytes) => void pieces.push(bytes.slice()), true));
  } catch (error) {
    if (error instanceof Broken) throw new Failure(`${name}: ${error.message}`, 2);
    throw error;
  }
  const { volume } = process.context;
  const file = new OpenRegular(volume, volume.unnamed(joinedBytes(pieces)), O_RDONLY);
  file.references += 1;
  return new Reader(file);
}

export const zgrep = grepCommand("zgrep", "Print the lines of each FILE, decompressed where it is compressed, that match one of PATTERNS", openUnpacked);
export const zegrep: Command = (process) => zgrep(withFlag(process, "-E"));
export const zfgrep: Command = (process) => zgrep(withFlag(process, "-F"));
