"""A manifest written for one test, and a small HTTP server on the loopback address."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from amla_capabilities.manifest import load_manifest
from amla_sandbox.tools import ToolDefinition, from_manifest

Respond = Callable[[BaseHTTPRequestHandler, bytes], tuple[int, dict[str, str], bytes]]


class Tools(dict[str, ToolDefinition]):
    """The tools of a manifest by path; ``call`` binds and runs one."""

    def call(self, path: str, **arguments: Any) -> Any:
        tool = self[path]
        assert tool.handler is not None
        bound = tool.bind(json.dumps(arguments).encode())
        result = tool.handler(bound)
        return asyncio.run(result) if tool.is_async else result


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Tools]:
    """Write a manifest and load its tools: ``load(text, NAME="value of the environment variable")``."""

    def make(text: str, **variables: str) -> Tools:
        import os

        file = tmp_path / "tools.toml"
        file.write_text(text)
        environment = {"PATH": os.environ["PATH"], **variables}
        return Tools({tool.path: tool for tool in from_manifest(load_manifest(file), variables=environment)})

    return make


class Server:
    """What was asked of it, and what it answers."""

    respond: Respond

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        self.answers(b"null", "application/json")
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.requests.append((self.command, self.path, headers, body))
                status, extra, content = outer.respond(self, body)
                self.send_response(status)
                for name, value in {"content-length": str(len(content)), **extra}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = _answer  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002

        ThreadingHTTPServer.request_queue_size = 128
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def answers(
        self, content: bytes, kind: str = "text/plain", *, status: int = 200, delay: float = 0, **headers: str
    ) -> None:
        """Answer every request so; ``content_encoding`` and the like name headers."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}

        def respond(_request: BaseHTTPRequestHandler, _body: bytes) -> tuple[int, dict[str, str], bytes]:
            time.sleep(delay)
            return status, {"content-type": kind, **named}, content

        self.respond = respond


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.http.serve_forever, daemon=True)
    thread.start()
    yield made
    made.http.shutdown()
    made.http.server_close()
