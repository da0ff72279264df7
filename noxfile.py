"""What developers and CI run: ``nox`` for the usual checks, ``nox -s NAME`` for one; CONTRIBUTING.md lists them."""

from __future__ import annotations

import shutil
from pathlib import Path

import nox

nox.options.default_venv_backend = "venv"
nox.options.sessions = ["lint", "types", "tests"]

ROOT = Path(__file__).parent
RUNTIME = ROOT / "runtime"
BUILD = str(RUNTIME / "guest" / "build.py")


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff, formatting, and the direction of imports."""
    session.install("ruff", "import-linter")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("lint-imports", env={"PYTHONPATH": f"{RUNTIME}:{ROOT / 'capabilities'}:{ROOT}"})


@nox.session
def types(session: nox.Session) -> None:
    """Mypy and pyright on the packages, tsc on the guest's TypeScript."""
    session.install(".[dev]")
    session.run("mypy")
    session.run("pyright")
    _install_build_tools(session)
    session.run("python", BUILD, "--generate")
    _check_typescript(session)


@nox.session
def tests(session: nox.Session) -> None:
    """The tests, on the package as a user installs it, beside the tools without which those of the guest skip."""
    session.install(".[test]", "mypy")
    _install_build_tools(session)
    with session.chdir(RUNTIME / "guest" / "ts"):
        _npm_ci(session)
    session.run("pytest", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation's links and examples; its generated pages."""
    session.install(".[test]")
    session.run("pytest", "tests/test_docs.py", "tests/test_examples.py", *session.posargs)


@nox.session
def picture(session: nox.Session) -> None:
    """The picture of the REPL in the README, drawn from a real session."""
    session.install(".[test]")
    session.run("python", "docs/picture.py")


@nox.session
def guest(session: nox.Session) -> None:
    """The guest, built into the checkout; only what changed is compiled."""
    _install_build_tools(session)
    session.run("python", BUILD, *session.posargs)


@nox.session
def reproducible(session: nox.Session) -> None:
    """Two builds of the guest from scratch, in two folders, are the same."""
    _install_build_tools(session)
    session.run("python", "tests/build/reproducible.py")


def _install_build_tools(session: nox.Session) -> None:
    """Compiler, and Node where the machine has none, in the versions that the build is pinned to."""
    listed = session.run("python", BUILD, "--requirements", silent=True)
    session.install(*str(listed).split())


def _check_typescript(session: nox.Session) -> None:
    """``npm ci`` and ``tsc`` in a copy of the sources, so that the checkout stays as it is."""
    copy = Path(session.create_tmp()) / "ts"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(RUNTIME / "guest" / "ts", copy, ignore=shutil.ignore_patterns("node_modules"))
    with session.chdir(copy):
        _npm_ci(session)
        session.run(*_node(session, "node"), "node_modules/typescript/bin/tsc", "--noEmit", external=True)


def _npm_ci(session: nox.Session) -> None:
    session.run(*_node(session, "npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", external=True)


def _node(session: nox.Session, program: str) -> list[str]:
    """The command line of ``node`` or ``npm``: the machine's, or that of the package in the session's environment."""
    asked = f"from guest.build.node import find_node; print(*find_node().{program}, sep='\\n')"
    printed = session.run("python", "-c", asked, env={"PYTHONPATH": str(RUNTIME)}, silent=True)
    return str(printed).splitlines()
