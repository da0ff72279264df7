"""Which network addresses a tool may reach: the check is made on the address that is connected to, not on a name (R25).

Between a check of a name and a connection the name may change its meaning (DNS rebinding), so the resolved
address itself is checked and connected to.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, cast

import httpcore

__all__ = ["GuardedBackend", "PrivateAddressError", "is_public"]

_NAT64 = IPv6Network("64:ff9b::/96")


class PrivateAddressError(httpcore.ConnectError):
    """The host has no address that the tool may connect to."""


def is_public(text: str) -> bool:
    """Whether an address belongs to the open internet; addresses that carry an IPv4 one are judged by that too."""
    address = ip_address(text.split("%", 1)[0])
    inner = _embedded(address) if isinstance(address, IPv6Address) else None
    if inner is not None:
        return is_public(str(inner))
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _embedded(address: IPv6Address) -> IPv4Address | None:
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects to public addresses only (or to any, if ``allow_private``), each resolved and checked here."""

    def __init__(self, *, allow_private: bool) -> None:
        self._inner = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())
        self._allow_private = allow_private

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        last: Exception | None = None
        for address in await self._resolve(host, port):
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
        raise last or httpcore.ConnectError(f"{host} has no address")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _resolve(self, host: str, port: int) -> list[str]:
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore.ConnectError(f"{host} cannot be resolved: {error.strerror}") from None
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        allowed = [address for address in addresses if self._allow_private or is_public(address)]
        if addresses and not allowed:
            raise PrivateAddressError(f"{host} is at a private address, and the tool does not set allow_private = true")
        return allowed
