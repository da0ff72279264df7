/** Commands that write to the file that they read, as in `sed p file >> file`. */

import type { DescriptorTable } from "../../vfs/descriptors";
import { OpenRegular, type OpenFile } from "../../vfs/openfile";
import { Remains } from "../../vfs/pipe";
import { Reader } from "./reader";

/** How much there was to read. */
const sizes = new WeakMap<Reader, number>();

/**
 * Reads the file. From one that is standard output as well comes what was in it before, as GNU's commands see the end of a
 * small one before they write.
 */
export function readerOf(descriptors: DescriptorTable, file: OpenFile): Reader {
  const output = descriptors.find(1);
  if (!(file instanceof OpenRegular) || output === file || output?.node !== file.node) return new Reader(file);
  const bytes = file.readAll().slice();
  const reader = new Reader(new Remains(bytes));
  sizes.set(reader, bytes.length);
  return reader;
}

/** Bytes to read of a file that is standard output as well; undefined for any other. */
export function ownOutput(reader: Reader): number | undefined {
  return sizes.get(reader);
}
