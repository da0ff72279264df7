/** How many bytes at the end begin a UTF-8 character that more bytes may complete: 0 to 3. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const size = byte < 0xc2 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 1;
    return size > back && secondFits(byte, bytes[bytes.length - back + 1]) ? back : 0;
  }
  return 0;
}

/** Some second bytes can never follow: overlong forms, surrogates, code points past the last. */
function secondFits(lead: number, second: number | undefined): boolean {
  if (second === undefined) return true;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second <= 0x9f;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second <= 0x8f;
}
