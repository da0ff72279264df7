"""The secret that this user's saved sessions are signed with."""

from __future__ import annotations

from amla_sandbox._cache._lock import locked
from amla_sandbox._cache._place import cache_folder
from amla_sandbox._cache._secret import make_secret, read_secret
from amla_sandbox._cache._status import CacheError
from amla_sandbox._cache._trust import own_folder
from amla_sandbox._errors import SandboxError

__all__ = ["state_key"]

_FOLDER = "sessions"
_LOCK_SECONDS = 10.0


def state_key() -> bytes:
    """32 bytes that only this user knows, made when they are first needed. Raises SandboxError."""
    try:
        folder = own_folder(cache_folder() / _FOLDER, create=True)
        with locked(folder / "lock", _LOCK_SECONDS, lambda: None):
            try:
                return read_secret(folder)
            except CacheError:
                return make_secret(folder)
    except (CacheError, OSError) as error:
        raise SandboxError(f"there is no safe place for the key that sessions are signed with: {error}") from error
