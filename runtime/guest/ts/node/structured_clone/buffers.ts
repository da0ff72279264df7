import { kernel } from "amla:kernel";

const { types } = kernel;

type Seen = Map<object, unknown>;
type ViewClass = new (buffer: ArrayBufferLike, offset: number, length?: number) => ArrayBufferView;

export function cloneBuffer(buffer: ArrayBuffer): ArrayBuffer {
  if (buffer.detached) throw new DOMException("An ArrayBuffer is detached and could not be cloned.", "DataCloneError");
  if (!buffer.resizable) return buffer.slice(0);
  const copy = new ArrayBuffer(buffer.byteLength, { maxByteLength: buffer.maxByteLength });
  new Uint8Array(copy).set(new Uint8Array(buffer));
  return copy;
}

/** Views of one buffer still share one in the copy. A Buffer comes out as a plain Uint8Array. */
export function cloneView(view: ArrayBufferView, seen: Seen): ArrayBufferView {
  let buffer = seen.get(view.buffer) as ArrayBuffer | undefined;
  if (!buffer) {
    buffer = cloneBuffer(view.buffer as ArrayBuffer);
    seen.set(view.buffer, buffer);
  }
  if (types.isDataView(view)) return new DataView(buffer, view.byteOffset, view.byteLength);
  const classes = globalThis as unknown as Record<string, ViewClass>;
  const View = classes[types.typedArrayName(view)!]!;
  return new View(buffer, view.byteOffset, (view as Uint8Array).length);
}
