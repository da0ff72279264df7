"""
Scripts with a few characters cut, doubled or put in. ``mutate.py [--seed N] [--count N] [--bash]`` parses some: each must end
in a tree or a fault with a place; what parses must come back from its print; with ``--bash``, bash must think the same of it.
"""

from __future__ import annotations

import argparse
import random
import subprocess
from collections.abc import Iterator

from parser import ask, rows

__all__ = ["main", "mutants", "wrong"]

_PIECES = [
    *(
        ";",
        "&",
        "|",
        "&&",
        "||",
        "|&",
        ";;",
        "(",
        ")",
        "{",
        "}",
        "!",
        "[",
        "]",
        "[[",
        "]]",
        "((",
        "))",
        "=~",
        "==",
        "-f",
    ),
    *(
        '"',
        "'",
        "`",
        "\\",
        "$",
        "$(",
        "${",
        "$((",
        "<(",
        "@(",
        "~",
        "#",
        "=(",
        "a=(",
        "<<E",
        ">",
        "<",
        ">&",
        "&>",
        "<<<",
        "2>",
        "{x}>",
    ),
    *(
        "if",
        "then",
        "else",
        "elif",
        "fi",
        "do",
        "done",
        "case",
        "esac",
        "in",
        "function",
        "for",
        "while",
        "time",
        "coproc",
    ),
]


def mutants(seed: int, count: int) -> list[str]:
    """Scripts made of the rows' own, the same for the same seed."""
    chance = random.Random(seed)
    scripts = [script for case in rows() for script in [case.script, *case.files.values()] if 5 < len(script) < 700]
    return [_mutate(chance, chance.choice(scripts)) for _ in range(count)]


def _mutate(chance: random.Random, script: str) -> str:
    start = chance.randrange(len(script) + 1)
    end = min(len(script), start + chance.randrange(1, 8))
    kind = chance.randrange(4)
    if kind == 0:
        return script[:start]
    if kind == 1:
        return script[:start] + script[end:]
    blanks = chance.choice(["", " ", "\n"]), chance.choice(["", " ", "\n"])
    return script[:start] + blanks[0] + chance.choice(_PIECES) + blanks[1] + script[start:]


def wrong(scripts: list[str]) -> Iterator[tuple[str, str]]:
    """The scripts that the parser fails on, and how."""
    for script, fault, trip in zip(scripts, ask("faults", scripts), ask("round", scripts), strict=True):
        if fault and not fault.startswith("line "):
            yield script, fault
        elif trip and not _ends_in_document(script):
            yield script, trip


def _ends_in_document(script: str) -> bool:
    """Whether a backslash at the end may be a here-document's last: such a document has no last newline, which no print of it can say."""
    return "<<" in script and script.endswith("\\")


def _unlike_bash(scripts: list[str]) -> Iterator[tuple[str, str]]:
    for script, ours in zip(scripts, ask("faults", scripts), strict=True):
        bash = subprocess.run(["bash", "-O", "extglob", "-n"], input=script.encode(), capture_output=True)
        said = [line.removeprefix("bash: ") for line in bash.stderr.decode("utf-8", "replace").splitlines()]
        theirs = next((line for line in said if "warning: here-document" not in line), "")
        if theirs != ours.partition("\n")[0]:
            yield script, f"bash: {theirs}\nours: {ours}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--bash", action="store_true")
    options = parser.parse_args()
    scripts = mutants(options.seed, options.count)
    found = [*wrong(scripts), *(_unlike_bash(scripts) if options.bash else [])]
    for script, reason in found:
        print(f"--- {script}\n=== {reason}\n")
    print(f"{len(found)} of {len(scripts)} mutants are wrong")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
