"""Texts of a manifest: templates, names, addresses and paths, each with what makes it a fault."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from amla_capabilities._paths import parse_path

from ._faults import Source
from ._kinds import Text, describe
from ._positions import Path
from ._templates import TemplateError, parse_template

__all__ = [
    "Plain",
    "TemplateText",
    "env_name",
    "guest_path",
    "header_name",
    "param_path",
    "python_name",
    "request_header",
    "url_problem",
]


@dataclass(frozen=True, slots=True)
class TemplateText:
    """A text that may use `{param}` (`slots`) and `${NAME}` (`env`); each is a fault where it is not allowed (R27)."""

    slots: bool = False
    env: bool = False

    def read(self, value: Any, path: Path, source: Source) -> Any:
        if not isinstance(value, str):
            return source.fault("AM104", path, f"must be a string, not {describe(value)}")
        try:
            template = parse_template(value)
        except TemplateError as error:
            return source.fault("AM118", path, str(error), offset=error.offset)
        if not self.env and (name := next(template.env(), None)):
            message = f"'${{{name}}}' is not filled in here; only in HTTP headers, query and body, and in 'env'"
            return source.fault("AM118", path, message, offset=value.find("${"))
        if not self.slots and (name := next(template.slots(), None)):
            return source.fault(
                "AM118", path, f"'{{{name}}}': parameters are not filled in here", offset=value.find("{")
            )
        return template

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


@dataclass(frozen=True, slots=True)
class Plain:
    """A text taken as it stands; `${NAME}` in it is a fault, since it would not be filled in (R27)."""

    empty_ok: bool = False

    def read(self, value: Any, path: Path, source: Source) -> Any:
        text = Text(empty_ok=self.empty_ok).read(value, path, source)
        if text and (found := _ENV_PLACE.search(text)):
            message = f"{found[0]!r} is not filled in here; only in HTTP headers, query and body, and in 'env' of tools"
            return source.fault("AM118", path, message, offset=found.start())
        return text

    def schema(self) -> dict[str, Any]:
        return Text(empty_ok=self.empty_ok).schema()


_ENV_PLACE = re.compile(r"\$\{[^}]*\}")
_PYTHON_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


def python_name(text: str) -> str:
    if not _PYTHON_NAME.fullmatch(text):
        raise ValueError(f"{text!r} is not module:function, such as weather:get_weather")
    module, _, function = text.partition(":")
    if module.endswith(".py"):
        raise ValueError(f"{text!r} names a file: write its module, {module.removesuffix('.py')}:{function}")
    return text


def param_path(text: str) -> str:
    parse_path(text)
    return text


def env_name(text: str) -> str:
    if not _ENV_NAME.fullmatch(text):
        raise ValueError(f"{text!r} is not the name of an environment variable")
    return text


def header_name(text: str) -> str:
    if not _HEADER_NAME.fullmatch(text):
        raise ValueError(f"{text!r} is not the name of an HTTP header")
    return text


_FRAMING = frozenset({"host", "content-length", "transfer-encoding", "connection", "accept-encoding"})


def request_header(text: str) -> str:
    if text.lower() in _FRAMING:
        raise ValueError(f"{text!r} says where a request goes or ends: no tool sets it")
    return header_name(text)


_URL_HEAD = re.compile(
    r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(?=[/?]|$)|https?://\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?(?=[/?]|$)"
)


def url_problem(text: str) -> str | None:
    """Why a URL template is refused: parameters reach its path and query, never what comes before (R24)."""
    if not _URL_HEAD.match(text):
        return "must start with http:// or https:// and a literal host, without a user name"
    if "#" in text:
        return "a fragment is never sent: leave out '#…'"
    return None


def guest_path(text: str) -> str:
    """A clean absolute path in the sandbox. Raises ValueError."""
    segments = text.split("/")[1:]
    if not text.startswith("/") or "\\" in text or any(part in ("", ".", "..") for part in segments):
        raise ValueError(f"{text!r} is not a clean absolute path in the sandbox, such as /workspace/data")
    return text
