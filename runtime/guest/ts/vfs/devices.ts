/** What is in /dev. */

import { native } from "../bridge/native";
import type { Context } from "./context";
import { fail } from "./errors";
import { Device, Directory, EntrySource, ROOT } from "./inode";
import { OpenFile } from "./openfile";
import { describe, Status } from "./status";
import type { Volume } from "./volume";

interface Behaviour {
  /** Fills all of `target` and returns how much that was. */
  read(target: Uint8Array): number;
  write(source: Uint8Array): number;
}

const nothing = (): number => 0;
const accept = (source: Uint8Array): number => source.length;
const zeros = (target: Uint8Array): number => target.fill(0).length;
const random = (target: Uint8Array): number => {
  native.random.fill(target);
  return target.length;
};

const BEHAVIOURS: Record<string, Behaviour> = {
  null: { read: nothing, write: accept },
  zero: { read: zeros, write: accept },
  full: { read: zeros, write: () => fail("ENOSPC") },
  random: { read: random, write: accept },
  urandom: { read: random, write: accept },
};

class OpenDevice extends OpenFile {
  constructor(
    private readonly device: () => Device,
    private readonly behaviour: Behaviour,
    flags: number,
  ) {
    super(flags);
  }

  override status(): Status {
    return describe(this.device());
  }

  override read(target: Uint8Array, offset: number, count: number): number {
    this.demandReadable();
    const bytes = new Uint8Array(count);
    const done = this.behaviour.read(bytes);
    native.bytes.copy(bytes, 0, target, offset, done);
    return done;
  }

  override write(source: Uint8Array): number {
    this.demandWritable();
    return this.behaviour.write(source);
  }

  override readAll(): Uint8Array {
    if (this.read(new Uint8Array(1), 0, 1) > 0) fail("EFBIG", "this device never ends; read a part of it");
    return new Uint8Array(0);
  }

  override truncate(): void {}

  override seek(): number {
    return 0;
  }
}

/** Opening /dev/fd/N shares what descriptor N points to. */
function descriptorDevice(descriptor: number): Device {
  return new Device(
    ({ descriptors }) => descriptors.get(descriptor),
    ({ descriptors }) => (descriptors.has(descriptor) ? descriptors.get(descriptor).node : undefined),
  );
}

class DescriptorSource implements EntrySource {
  private readonly devices = new Map<string, Device>();

  constructor(private readonly volume: Volume) {}

  names(context: Context): string[] {
    return context.descriptors.numbers().map(String);
  }

  lookup(name: string, context: Context): Device | undefined {
    if (!/^\d{1,9}$/.test(name) || !context.descriptors.has(Number(name))) return undefined;
    const device = this.devices.get(name) ?? this.volume.number(descriptorDevice(Number(name)));
    this.devices.set(name, device);
    return device;
  }
}

export function devices(volume: Volume): Record<string, Device | Directory> {
  const table: Record<string, Device | Directory> = {};
  for (const [name, behaviour] of Object.entries(BEHAVIOURS)) {
    const device: Device = new Device((_context, flags) => new OpenDevice(() => device, behaviour, flags));
    table[name] = device;
  }
  ["stdin", "stdout", "stderr"].forEach((name, descriptor) => (table[name] = descriptorDevice(descriptor)));
  table["fd"] = new Directory(0o755, ROOT, new DescriptorSource(volume));
  return table;
}
