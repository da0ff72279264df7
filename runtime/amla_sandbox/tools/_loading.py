"""Finding the Python callable that a manifest names (R26): the file beside the manifest first, by its location.

The manifest's folder is appended to ``sys.path``, so that the file can import its neighbours, and never put in front,
so that a ``json.py`` beside a manifest cannot take the standard library's place.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from amla_capabilities import did_you_mean

from ._errors import ToolDefinitionError

__all__ = ["load_callable", "module_file"]


def load_callable(module: str, attribute: str, folder: Path, tool: str) -> Callable[..., Any]:
    """The callable that ``module:attribute`` names. Runs the module. Raises ToolDefinitionError naming ``tool``."""
    loaded = _load(module, folder, tool)
    found: Any = loaded
    for step in attribute.split("."):
        if not hasattr(found, step):
            hint = did_you_mean(step, vars(loaded))
            raise ToolDefinitionError(f"{tool}: {module} has no {attribute!r}{hint}")
        found = getattr(found, step)
    if not callable(found):
        raise ToolDefinitionError(f"{tool}: {module}:{attribute} is of type {type(found).__name__}, not a function")
    return found  # type: ignore[no-any-return]


def module_file(module: str, folder: Path) -> Path | None:
    """The source file that ``module`` names beside the manifest, if there is one. Looks, runs nothing."""
    base = folder.joinpath(*module.split("."))
    return next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()), None)


def _load(module: str, folder: Path, tool: str) -> ModuleType:
    file = module_file(module, folder)
    if file is not None:
        _append_to_path(folder)
    try:
        if file is None:
            return importlib.import_module(module)
        return _by_location(module, file) if "." not in module else _in_package(module, folder)
    except ToolDefinitionError:
        raise
    except ModuleNotFoundError as error:
        if error.name and (module == error.name or module.startswith(f"{error.name}.")):
            place = module.replace(".", "/")
            raise ToolDefinitionError(
                f"{tool}: there is no {place}.py beside the manifest, and no module of that name is installed"
            ) from None
        raise ToolDefinitionError(f"{tool}: {module} needs {error.name!r}, which is not installed") from error
    except Exception as error:
        raise ToolDefinitionError(f"{tool}: {module} cannot be loaded: {type(error).__name__}: {error}") from error


def _append_to_path(folder: Path) -> None:
    place = str(folder.resolve())
    if place not in sys.path:
        sys.path.append(place)


def _by_location(module: str, file: Path) -> ModuleType:
    location = str(file.resolve())
    name = module
    present = sys.modules.get(name)
    if present is not None and getattr(present, "__file__", None) != location:
        name = f"{module}_{hashlib.sha256(location.encode()).hexdigest()[:12]}"  # the plain name is someone else's
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, location)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file.name} is not a Python file")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    try:
        spec.loader.exec_module(loaded)
    except BaseException:
        del sys.modules[name]
        raise
    return loaded


def _in_package(module: str, folder: Path) -> ModuleType:
    """A module of a package beside the manifest: the package by location, what is in it by its own means."""
    top, _, rest = module.partition(".")
    package = folder / top / "__init__.py"
    if not package.is_file():
        return importlib.import_module(module)
    loaded = _by_location(top, package)
    return importlib.import_module(f"{loaded.__name__}.{rest}")
