/** The host's access to the files: one request frame, one reply frame. */

import { hostCalls } from "../vfs/host";
import type { TreeEntry } from "../vfs/dump";
import { vfs } from "../vfs/vfs";
import { joinedBytes } from "./bytes";
import { ToHost, joinHeader, lengthOf, splitHeader, u32 } from "./frames";
import { native } from "./native";

interface Request {
  op: string;
  path: string;
  target?: string;
  mode?: number;
  flag?: boolean;
  /** Of a dump: how many entries to leave out, which the host has by now. Of `fill`: number of the first file. */
  from?: number;
}

/** `data` is in parts, the last of which is not copied before it is sent. */
interface Answer {
  value?: unknown;
  data?: Uint8Array[];
}
type Operation = (request: Request, data: Uint8Array) => Answer;

/** Bytes of files in one answer to a dump, which is full with the file that exceeds them. */
const PAGE = 4 << 20;

const operations: Readonly<Record<string, Operation>> = {
  read: ({ path }) => ({ data: [hostCalls.read(path)] }),
  write: ({ path }, data) => (hostCalls.write(path, data), {}),
  list: ({ path }) => ({ value: hostCalls.list(path) }),
  stat: ({ path, flag }) => ({ value: hostCalls.stat(path, flag ?? true) }),
  exists: ({ path }) => ({ value: hostCalls.exists(path) }),
  remove: ({ path, flag }) => (hostCalls.remove(path, flag), {}),
  mkdir: ({ path }) => (hostCalls.mkdir(path), {}),
  symlink: ({ path, target }) => (hostCalls.symlink(target!, path), {}),
  chmod: ({ path, mode }) => (hostCalls.chmod(path, mode!), {}),
  dump: ({ path, from }) => dumpPage(path, from ?? 0),
  load: ({ path, flag }, data) => (hostCalls.load(path, unpackTree(data), flag ?? true), {}),
  restore: (_request, data) => (hostCalls.restore(data), {}),
  fill: ({ from }, data) => (hostCalls.fill(from ?? 0, data), {}),
  usage: () => ({ value: vfs.usage() }),
};

export function answerFiles(id: number, payload: Uint8Array): void {
  const [header, data] = splitHeader(payload);
  const request = header as Request;
  try {
    const { value, data: parts = [] } = operations[request.op]!(request, data);
    const last = parts.pop();
    native.host.emit(ToHost.files, id, joinedBytes([joinHeader({ ok: true, value }), ...parts]), last);
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    native.host.emit(ToHost.files, id, joinHeader({ ok: false, code: code ?? "EIO", message }));
  }
}

/**
 * A part of a tree: entries one behind the other, each u32 length, JSON of the entry, u32 length, data. The value is how
 * many entries the host has with them, and whether there are more.
 */
function dumpPage(path: string, from: number): Answer {
  const parts: Uint8Array[] = [];
  let size = 0;
  let index = 0;
  for (const { data = new Uint8Array(0), ...entry } of hostCalls.dump(path)) {
    if (size > PAGE) return { value: { count: index, more: true }, data: parts };
    index += 1;
    if (index <= from) continue;
    parts.push(joinHeader(entry), lengthOf(data), data);
    size += data.length;
  }
  return { value: { count: index, more: false }, data: parts };
}

function* unpackTree(packed: Uint8Array): Generator<TreeEntry> {
  let at = 0;
  const field = (): Uint8Array => {
    const length = u32(packed, at);
    const bytes = packed.slice(at + 4, at + 4 + length);
    at += 4 + length;
    return bytes;
  };
  while (at < packed.length) {
    const entry = JSON.parse(native.bytes.utf8Decode(field())) as TreeEntry;
    yield { ...entry, data: field() };
  }
}
