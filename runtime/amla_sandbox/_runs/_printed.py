"""What a run prints: kept, cut at a limit, and handed to whoever listens."""

from __future__ import annotations

import codecs
from collections.abc import Callable

from amla_sandbox._guest._protocol import Output

__all__ = ["OnOutput", "Printed", "text_only"]

OnOutput = Callable[[int, bytes], None]
"""Called with a stream (1 or 2) and its next bytes."""


class Printed:
    """Both output streams of one run."""

    def __init__(self, limit: int, listener: OnOutput | None) -> None:
        """`limit` in bytes over both streams; 0 for none."""
        self.limit = limit
        self.listener = listener
        self.size = self.dropped = 0
        """Bytes kept, and bytes dropped at the limit."""
        self._chunks: dict[int, list[bytes]] = {1: [], 2: []}

    def take(self, frame: Output) -> None:
        """What the guest prints; it may say more than it may print, and say that it dropped some."""
        room = self.limit - self.size if self.limit else len(frame.data)
        kept = frame.data[: max(room, 0)]
        self.size += len(kept)
        self.dropped += frame.dropped + len(frame.data) - len(kept)
        if kept:
            self._add(frame.fd, kept)

    def close(self) -> None:
        """Say what was dropped, if anything was."""
        if self.dropped:
            what = f"{self.dropped:,} more bytes were dropped at the limit of {self.limit:,} (max_output)"
            self._add(2, f"\n[output cut: {what}]\n".encode())

    def stream(self, fd: int) -> bytes:
        return b"".join(self._chunks[fd])

    def _add(self, fd: int, data: bytes) -> None:
        self._chunks[fd].append(data)
        if self.listener is not None:
            self.listener(fd, data)


def text_only(on_output: Callable[[str], None] | None) -> OnOutput | None:
    """A callback for text of standard output, fed from bytes."""
    if on_output is None:
        return None
    decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def take(fd: int, data: bytes) -> None:
        text = decoder.decode(data) if fd == 1 else ""
        if text:
            on_output(text)

    return take
