/** The host's access to the files: one request frame, one reply frame. */

import { hostCalls } from "../vfs/host";
import type { TreeEntry } from "../vfs/dump";
import { vfs } from "../vfs/vfs";
import { ToHost, joinHeader, prefixed, splitHeader, u32 } from "./frames";
import { native } from "./native";

interface Request {
  op: string;
  path: string;
  target?: string;
  mode?: number;
  flag?: boolean;
}

type Answer = { value?: unknown; data?: Uint8Array };
type Operation = (request: Request, data: Uint8Array) => Answer;

const operations: Readonly<Record<string, Operation>> = {
  read: ({ path }) => ({ data: hostCalls.read(path) }),
  write: ({ path }, data) => (hostCalls.write(path, data.slice()), {}),
  list: ({ path }) => ({ value: hostCalls.list(path) }),
  stat: ({ path, flag }) => ({ value: hostCalls.stat(path, flag ?? true) }),
  exists: ({ path }) => ({ value: hostCalls.exists(path) }),
  remove: ({ path, flag }) => (hostCalls.remove(path, flag), {}),
  mkdir: ({ path }) => (hostCalls.mkdir(path), {}),
  symlink: ({ path, target }) => (hostCalls.symlink(target!, path), {}),
  chmod: ({ path, mode }) => (hostCalls.chmod(path, mode!), {}),
  dump: ({ path }) => ({ data: packTree(hostCalls.dump(path)) }),
  load: ({ path, flag }, data) => (hostCalls.load(path, unpackTree(data), flag ?? true), {}),
  usage: () => ({ value: vfs.usage() }),
};

export function answerFiles(id: number, payload: Uint8Array): void {
  const [header, data] = splitHeader(payload);
  const request = header as Request;
  try {
    const { value, data: answer } = operations[request.op]!(request, data);
    native.host.emit(ToHost.files, id, joinHeader({ ok: true, value }), answer);
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    native.host.emit(ToHost.files, id, joinHeader({ ok: false, code: code ?? "EIO", message }));
  }
}

/** Entries one behind the other: u32 length, JSON of the entry, u32 length, data. */
function packTree(entries: Iterable<TreeEntry>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { data, ...entry } of entries) parts.push(joinHeader(entry), prefixed(data ?? new Uint8Array(0)));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
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
