"""Things of the host that no script may reach: a file, a variable, a server; and whether one did."""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from amla_sandbox._result import ExecutionResult

__all__ = ["CanaryHost", "canary_host"]

VARIABLE = "AMLA_SELFTEST_CANARY"


class CanaryHost:
    """A folder with a secret file, a secret variable, a server that nobody calls."""

    def __init__(self, folder: Path, server: socket.socket) -> None:
        self.secret = secrets.token_hex(16)
        self.file = folder / "secret.txt"
        self.file.write_text(self.secret, "utf-8")
        self._folder = folder
        self._server = server
        self.port: int = server.getsockname()[1]

    def script(self, code: str) -> str:
        """`code` with the names of the host's things in place of `FILE`, `FOLDER`, `VARIABLE` and `PORT`."""
        names = {"FILE": str(self.file), "FOLDER": str(self._folder), "VARIABLE": VARIABLE, "PORT": str(self.port)}
        for name, value in names.items():
            code = code.replace(name, value)
        return code

    def fault(self, result: ExecutionResult) -> str:
        """What a script reached, if anything."""
        if self.secret in f"{result.stdout}{result.stderr}{result.error}{result.return_value!r}":
            return "the script read a secret of the host"
        if list(self._folder.iterdir()) != [self.file] or self.file.read_text("utf-8") != self.secret:
            return "the script changed a folder of the host"
        return "the script reached a server of the host" if self._was_called() else ""

    def _was_called(self) -> bool:
        try:
            self._server.accept()[0].close()
        except BlockingIOError:
            return False
        return True


@contextmanager
def canary_host() -> Generator[CanaryHost]:
    with (
        tempfile.TemporaryDirectory(prefix="amla-selftest-") as folder,
        socket.create_server(("127.0.0.1", 0)) as server,
    ):
        server.setblocking(False)
        host = CanaryHost(Path(folder), server)
        os.environ[VARIABLE] = host.secret
        try:
            yield host
        finally:
            del os.environ[VARIABLE]
