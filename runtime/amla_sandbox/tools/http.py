"""Tools that are HTTP requests (R24, R25, R27). They need httpx: ``pip install 'amla[http]'``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from amla_capabilities.manifest import HttpTool, Template

from ._declared import declared
from ._definition import Arguments, ToolDefinition
from ._errors import ArgumentError, ToolDefinitionError, ToolFailedError
from ._fill import Environment, has_value, require_text, sole_slot, text_of
from ._json import thaw
from ._secrets import mask_text
from ._urls import UrlTemplate, query_pairs

if TYPE_CHECKING:
    import httpx

    from ._client import Answer

__all__ = ["http_check", "http_tool"]

MAX_RESPONSE = 16_000_000  # bytes, where the manifest says nothing
TIMEOUT = 60.0  # seconds, likewise
_SHOWN_BODY = 500  # characters of an error's body; enough for an API's explanation

_OURS = frozenset({"host", "content-length", "transfer-encoding", "connection", "accept-encoding"})
"""Headers that decide where a request goes or where it ends; no tool may set them."""

_CONTENT_TYPES = {
    "json": "application/json",
    "form": "application/x-www-form-urlencoded",
    "raw": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class _Plan:
    """An HTTP tool with its secrets filled in and its URL checked."""

    tool: HttpTool
    url: UrlTemplate
    secrets: tuple[str, ...] = ()

    def parts(self, arguments: Arguments) -> tuple[str, list[tuple[bytes, bytes]], bytes | None]:
        """The URL, headers and body for these arguments. Raises ArgumentError for values that they cannot carry."""
        url = self.url.fill(arguments)
        query = self._query(arguments)
        if query:
            url += ("&" if "?" in url else "?") + query
        return url, self._headers(arguments), self._body(arguments)

    def build(self, arguments: Arguments) -> httpx.Request:
        """The request for these arguments. Raises ArgumentError for values that it cannot carry."""
        url, headers, content = self.parts(arguments)
        request: httpx.Request = _httpx().Request(self.tool.method, url, headers=headers, content=content)
        if not url.endswith(request.url.raw_path.decode("ascii").removeprefix("/")):
            raise ArgumentError(f"{self.tool.path}: the URL would change when sent")
        return request

    def _query(self, arguments: Arguments) -> str:
        from urllib.parse import urlencode

        pairs = [pair for name, value in self._filled(self.tool.query, arguments) for pair in self._pairs(name, value)]
        if self.tool.body is None:
            pairs += [pair for name in self._loose(arguments) for pair in self._pairs(name, arguments[name])]
        return urlencode(pairs)

    def _headers(self, arguments: Arguments) -> list[tuple[bytes, bytes]]:
        headers = {"host": _host(self.tool), "accept-encoding": "identity", "user-agent": "amla", "accept": "*/*"}
        if self.tool.body is not None:
            headers["content-type"] = _CONTENT_TYPES[self.tool.body]
        for name, value in self._filled(self.tool.headers, arguments):
            headers[name.lower()] = require_text(text_of(value), self.tool.path, [name], controls=False)
        return [(name.encode("ascii"), value.encode()) for name, value in headers.items()]

    def _body(self, arguments: Arguments) -> bytes | None:
        tool = self.tool
        if tool.body is None:
            return None
        if tool.body == "raw":
            return self._raw(arguments)
        entries = {name: arguments[name] for name in self._loose(arguments)}
        entries |= dict(self._filled(tool.fields, arguments))
        if tool.body == "json":
            return json.dumps(thaw(entries), separators=(",", ":")).encode()
        from urllib.parse import urlencode

        return urlencode([pair for name, value in entries.items() for pair in self._pairs(name, value)]).encode()

    def _raw(self, arguments: Arguments) -> bytes:
        template = self.tool.text or Template(())
        text = template.fill(lambda name: text_of(arguments[name]), str) if has_value(template, arguments) else ""
        try:
            return text.encode()
        except UnicodeEncodeError:
            raise ArgumentError(f"{self.tool.path}: the body holds an unpaired surrogate") from None

    def _filled(self, templates: Mapping[str, Template], arguments: Arguments) -> list[tuple[str, Any]]:
        """Each entry whose parameters were all given; one that is just a parameter keeps the value's type."""
        found: list[tuple[str, Any]] = []
        for name, template in templates.items():
            if has_value(template, arguments):
                sole = sole_slot(template)
                text = template.fill(lambda slot: text_of(arguments[slot]), str)
                found.append((name, arguments[sole] if sole is not None else text))
        return found

    def _loose(self, arguments: Arguments) -> list[str]:
        """The given parameters that no template uses."""
        return [name for name in self.tool.loose_params() if name in arguments]

    def _pairs(self, name: str, value: Any) -> list[tuple[str, str]]:
        return query_pairs(self.tool.path, name, value)

    async def run(self, arguments: Arguments) -> Any:
        """Send the request and read the answer."""
        from ._client import send

        tool = self.tool
        answer = await send(
            self.build(arguments),
            limit=tool.max_response or MAX_RESPONSE,
            timeout=tool.timeout or TIMEOUT,
            allow_private=tool.allow_private,
        )
        if answer.status >= 400:
            raise ToolFailedError(_refusal(tool, answer, self.secrets))
        return _result(tool, answer)


def http_check(tool: HttpTool) -> Callable[[Arguments], object]:
    """What refuses arguments that the request cannot carry. Fills in no variable, needs no library (R1)."""
    return _Plan(tool, UrlTemplate.checked(tool.path, tool.url)).parts


def http_tool(tool: HttpTool, variables: Mapping[str, str]) -> ToolDefinition:
    """The definition of a manifest's HTTP request. ``variables`` is the host's environment, for ``${NAME}``.

    The result is the response's JSON, or its text (``output``); for HEAD an object with ``status`` and ``headers``.
    Raises ToolDefinitionError if httpx is missing, a variable is not set, or the URL leaves its host open.
    """
    _httpx()
    for name in tool.headers:
        if name.lower() in _OURS:
            raise ToolDefinitionError(f"{tool.path}: the header {name} cannot be set by a tool")
    environment = Environment(tool.path, variables)
    filled = replace(
        tool,
        query=environment.expand_all(tool.query),
        headers=environment.expand_all(tool.headers),
        fields=environment.expand_all(tool.fields),
        text=environment.expand(tool.text) if tool.text is not None else None,
    )
    plan = _Plan(filled, UrlTemplate.checked(tool.path, tool.url), environment.secrets)
    return ToolDefinition(
        **declared(tool),
        description=tool.description,
        parameters=tool.schema or {},
        handler=plan.run,
        is_async=True,
        convert=plan.build,
        secret_values=environment.secrets,
    )


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise ToolDefinitionError("HTTP tools need httpx: pip install 'amla[http]'") from None
    return httpx


def _result(tool: HttpTool, answer: Answer) -> Any:
    if tool.method == "HEAD":
        return {"status": answer.status, "headers": dict(answer.headers)}
    kind = answer.headers.get("content-type", "").split(";")[0].strip().lower()
    is_json = kind == "application/json" or kind.endswith("+json")
    if tool.output == "text" or (tool.output == "auto" and not is_json):
        return _text(answer)
    if not answer.body:
        return None
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        raise ToolFailedError(f"{tool.path}: the response is not JSON ({error})") from None


def _text(answer: Answer) -> str:
    kind = answer.headers.get("content-type", "")
    charset = kind.partition("charset=")[2].split(";")[0].strip("\"' ") or "utf-8"
    try:
        return answer.body.decode(charset, "replace")
    except LookupError:
        return answer.body.decode("utf-8", "replace")


def _refusal(tool: HttpTool, answer: Answer, secrets: tuple[str, ...]) -> str:
    """Secrets are masked before the text is cut or its space is folded: half a secret would not be found afterwards."""
    body = " ".join(mask_text(_text(answer), secrets)[: _SHOWN_BODY * 2].split())[:_SHOWN_BODY]
    said = f": {body}" if body else ""
    return f"{tool.method} {_host(tool)} answered {answer.status} {answer.reason}".rstrip() + said


def _host(tool: HttpTool) -> str:
    return str(tool.url).split("://", 1)[-1].split("/", 1)[0]
