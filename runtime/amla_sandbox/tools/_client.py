"""Sending one HTTP request for a tool: no proxies, verified TLS, checked addresses, bounded bodies (R25)."""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import AsyncIterator
from functools import cache
from typing import Any, NamedTuple

import httpcore
import httpx

from ._addresses import GuardedBackend, PrivateAddressError
from ._errors import ToolFailedError

__all__ = ["Answer", "send"]

_MAX_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FOLLOWED = frozenset({"GET", "HEAD"})
_COMPRESSED = {"gzip": 47, "x-gzip": 47, "deflate": 47}  # zlib's window bits: 32 more than 15 detects the format


class Answer(NamedTuple):
    """A response with a status below 400 or not; ``body`` is decompressed and within the limit."""

    status: int
    reason: str
    headers: httpx.Headers
    body: bytes


async def send(request: httpx.Request, *, limit: int, timeout: float, allow_private: bool) -> Answer:
    """Send a request and read its response; ``limit`` in bytes, ``timeout`` in seconds for all of it.

    Redirects are followed for GET and HEAD within scheme, host and port only. Raises ToolFailedError saying what went
    wrong and with which host.
    """
    host, tls = request.url.host, request.url.scheme == "https"
    try:
        async with asyncio.timeout(timeout), _Transport(allow_private=allow_private, tls=tls) as transport:
            for _ in range(_MAX_REDIRECTS + 1):
                answer, following = await _exchange(transport, request, limit)
                if following is None:
                    return answer
                request = following
        raise ToolFailedError(f"{host} redirected more than {_MAX_REDIRECTS} times")
    except TimeoutError:
        raise ToolFailedError(f"{host} did not answer within {timeout:g} seconds") from None
    except PrivateAddressError as error:
        raise ToolFailedError(str(error)) from None
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, ssl.SSLError) as error:
        raise ToolFailedError(f"{host} cannot be reached: {str(error) or type(error).__name__}") from None


async def _exchange(transport: _Transport, request: httpx.Request, limit: int) -> tuple[Answer, httpx.Request | None]:
    response = await transport.handle_async_request(request)
    try:
        if response.status_code in _REDIRECTS and "location" in response.headers:
            return Answer(response.status_code, "", response.headers, b""), _redirected(request, response)
        body = b"" if request.method == "HEAD" else await _read(response, limit)
        return Answer(response.status_code, response.reason_phrase, response.headers, body), None
    finally:
        await response.aclose()


def _redirected(request: httpx.Request, response: httpx.Response) -> httpx.Request:
    target = request.url.join(response.headers["location"])
    if request.method not in _FOLLOWED:
        raise ToolFailedError(f"{request.url.host} answered {request.method} with a redirect, which is not followed")
    if _origin(target) != _origin(request.url):
        raise ToolFailedError(f"{request.url.host} redirected to another place ({target.host}), which is not followed")
    return httpx.Request(request.method, target, headers=request.headers)


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme)


async def _read(response: httpx.Response, limit: int) -> bytes:
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", *_COMPRESSED):
        raise ToolFailedError(f"the response is encoded as {encoding!r}, although identity was asked for")
    unpack = zlib.decompressobj(_COMPRESSED[encoding]) if encoding in _COMPRESSED else None
    chunks: list[bytes] = []
    size = 0
    async for raw in response.aiter_raw():
        chunk = raw if unpack is None else _unpacked(unpack, raw, limit + 1 - size)
        size += len(chunk)
        if size > limit:
            raise ToolFailedError(f"the response is larger than {limit:,} bytes")
        chunks.append(chunk)
    return b"".join(chunks)


def _unpacked(unpack: Any, raw: bytes, most: int) -> bytes:
    try:
        data: bytes = unpack.decompress(raw, most)
    except zlib.error:
        raise ToolFailedError("the response's compression is broken") from None
    return data


class _Transport(httpx.AsyncBaseTransport):
    """One call\'s connections; not pooled between calls, since a pool belongs to one event loop and runs differ."""

    def __init__(self, *, allow_private: bool, tls: bool) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=_tls() if tls else None,
            network_backend=GuardedBackend(allow_private=allow_private),
            http1=True,
            http2=False,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = httpcore.URL(
            scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port, target=request.url.raw_path
        )
        response = await self._pool.handle_async_request(
            httpcore.Request(request.method, url, headers=request.headers.raw, content=request.stream)
        )
        return httpx.Response(response.status, headers=response.headers, stream=_Body(response), request=request)

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._response.aiter_stream():
            yield chunk

    async def aclose(self) -> None:
        await self._response.aclose()


@cache
def _tls() -> ssl.SSLContext:
    """Verification against the system's authorities; made once, because loading them takes tens of milliseconds."""
    return ssl.create_default_context()
