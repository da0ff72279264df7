"""`amla precompile`: kept, checked, exported, cleared."""

from __future__ import annotations

from pathlib import Path

from cli_process import Amla


def test_its_life(amla: Amla, tmp_path: Path) -> None:
    """From nothing to compiled, used, exported, cleared."""
    cache = {"AMLA_CACHE_DIR": str(tmp_path / "cache")}
    missing = amla("precompile", "--check", env=cache)
    assert (missing.status, "not compiled for this machine" in missing.err) == (1, True)
    made = amla("precompile", env=cache)
    assert (made.status, made.out.startswith(b"compiled: "), made.err) == (0, True, "")
    assert amla("precompile", env=cache).out.startswith(b"compiled already: ")
    assert amla("precompile", "--check", env=cache).status == 0
    written = amla("precompile", "--output", "amla.compiled", env=cache)
    assert (written.status, (tmp_path / "amla.compiled").stat().st_size > 1_000_000) == (0, True)
    assert amla("precompile", "--clear", env=cache).out.startswith(b"removed 1 compiled guest from ")
    assert amla("precompile", "--check", env=cache).status == 1
    assert amla("precompile", "--clear", env=cache).out.startswith(b"removed 0 compiled guests from ")


def test_a_folder_that_others_write_to(amla: Amla, tmp_path: Path) -> None:
    """The reason, and a status that a build notices."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    ended = amla("precompile", env={"AMLA_CACHE_DIR": str(shared / "cache")})
    assert ended.status == 125
    assert "cannot be kept" in ended.err
