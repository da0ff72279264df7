"""The archive of sources: its bytes are those that the guest's reader expects."""

from __future__ import annotations

from guest.build.archive import pack


def test_the_layout_is_counted_little_endian_and_nul_terminated() -> None:
    expected = b"\x02\0\0\0" + b"\x07\0\0\0node:fs" + b"\x03\0\0\x001;\n\0" + b"\x06\0\0\0system" + b"\0\0\0\0\0"
    assert pack({"system": b"", "node:fs": b"1;\n"}) == expected


def test_lengths_count_bytes_not_characters() -> None:
    assert pack({"é": "ü".encode()}) == b"\x01\0\0\0" + b"\x02\0\0\0\xc3\xa9" + b"\x02\0\0\0\xc3\xbc\0"


def test_the_order_of_insertion_does_not_matter() -> None:
    assert pack({"a": b"1", "b": b"2"}) == pack({"b": b"2", "a": b"1"})
