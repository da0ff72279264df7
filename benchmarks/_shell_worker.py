"""Runs in a process of its own, with amla or with bashkit, and measures shell scripts and what a sandbox costs.

    python _shell_worker.py amla|bashkit FOLDER

FOLDER holds the files of the rows. Each line of input is a case: `{"script": …}`, to run in a sandbox that has the
files and stays, or `{"special": NAME}`. Each line of output is `{"value": milliseconds, "cpu": milliseconds of user and
system time, "digest": …}` or `{"problem": …}`. The digest is of the file `out` if the script writes one, else of its
stdout.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

HELLO = "echo hello"
ADDING = "n=0; for ((i = 0; i < 1000; i++)); do n=$(tool add --a $n --b $i); done; echo $n"
ENDLESS = {
    "endless-shell": "while :; do :; done",
    "endless-regex": "yes xxxxxxxxxxxxxxxxxxxxxxxxxxx | grep -E '^(x+x+)+\\1y*z'",
    "endless-jq": "jq -n 'def f: f; f'",
    "endless-awk": "awk 'BEGIN { while (1) i++ }'",
}
DEADLINE = 0.1


class Amla:
    """amla's sandboxes."""

    def __init__(self, files: Mapping[str, bytes], **limits: Any) -> None:
        import amla_sandbox

        def add(a: int, b: int) -> int:
            """Add two numbers."""
            return a + b

        free = {"max_calls": 0, "max_attempts": 0, "timeout": 0, "cpu": 0, "max_output": 64_000_000}
        self._sandbox = amla_sandbox.Sandbox(
            tools=[amla_sandbox.tool_from_function(add)],
            capabilities=[amla_sandbox.MethodCapability(method_pattern="add")],
            limits=amla_sandbox.Limits(**{**free, **limits}),
        )
        for name, data in files.items():
            self._sandbox.fs.write(f"/workspace/{name}", data)

    def run(self, source: str) -> str:
        result = self._sandbox.run(source, "shell")
        if result.exit_code or result.stderr:
            raise RuntimeError(result.stderr.strip() or f"status {result.exit_code}")
        return result.stdout

    def written(self) -> bytes | None:
        """What the script left in `out`, if it did."""
        try:
            return bytes(self._sandbox.fs.read("/workspace/out"))
        except FileNotFoundError:
            return None

    def forget(self) -> None:
        """Drops what the last script wrote."""
        self._sandbox.run("rm -f out", "shell")

    @staticmethod
    def hello() -> None:
        """Makes a sandbox, prints one line in it and closes it."""
        import amla_sandbox

        with amla_sandbox.Sandbox() as sandbox:
            assert sandbox.run(HELLO, "shell").stdout == "hello\n"

    def overrun(self, source: str) -> float:
        """Milliseconds past the deadline; the sandbox must be usable and its files kept."""
        self._sandbox.fs.write("/workspace/kept", b"kept")
        start = time.perf_counter()
        result = self._sandbox.run(source, "shell")
        taken = time.perf_counter() - start
        if result.exit_code == 0 or taken < DEADLINE:
            raise RuntimeError(f"ended before its deadline: {result.exit_code} {result.stderr}"[:60])
        assert self.run("cat kept") == "kept"
        return (taken - DEADLINE) * 1000


class Bashkit:
    """bashkit's interpreters, which are no sandbox of their own memory but run in this process."""

    def __init__(self, files: Mapping[str, bytes], **_: Any) -> None:
        self._files = files
        self.forget()

    def forget(self) -> None:
        """Begins anew: an interpreter has limits over all that it ever runs."""
        import bashkit  # type: ignore[import-not-found]

        def add(context: Any) -> str:
            given = context.argv
            return f"{int(given[1]) + int(given[3])}\n"

        self._bash = bashkit.Bash(cwd="/workspace", max_commands=10**9, max_loop_iterations=10**9)
        self._bash.add_builtin("add", add)
        self._bash.execute_sync("mkdir -p /workspace")
        for name, data in self._files.items():
            self._bash.write_file(f"/workspace/{name}", data.decode("ascii"))

    def run(self, source: str) -> str:
        result = self._bash.execute_sync(source.replace("tool add", "add"))
        if result.exit_code or result.stderr:
            raise RuntimeError(result.stderr.strip() or f"status {result.exit_code}")
        return str(result.stdout)

    def written(self) -> bytes | None:
        try:
            text = self._bash.read_file("/workspace/out")
        except Exception:
            return None
        return bytes(text) if isinstance(text, bytes | bytearray) else str(text).encode()

    @staticmethod
    def hello() -> None:
        """Makes an interpreter, and prints one line in it."""
        import bashkit

        assert bashkit.Bash().execute_sync(HELLO).stdout == "hello\n"

    def overrun(self, _source: str) -> float:
        raise RuntimeError("-")


Side = Amla | Bashkit
Answer = dict[str, Any]


def script(side: Side, source: str) -> Answer:
    side.forget()
    answer, output = timed(lambda: side.run(source))
    written = side.written()
    return {**answer, "digest": hashlib.sha256(output.encode() if written is None else written).hexdigest()}


def following(side: Side) -> Answer:
    """A run of hello right after the last one, of several; what is done after a run is in it."""
    runs = 20
    side.forget()
    side.run(HELLO)
    answer, _ = timed(lambda: [side.run(HELLO) for _ in range(runs)])
    return {what: value / runs for what, value in answer.items()}


def pausing(side: Side) -> Answer:
    """A run of hello when the process has slept for a moment, and the processor has forgotten the last one."""
    time.sleep(0.002)
    return timed(lambda: side.run(HELLO))[0]


def timed(work: Callable[[], Any]) -> tuple[Answer, Any]:
    cpu, start = time.process_time(), time.perf_counter()
    result = work()
    taken = (time.perf_counter() - start) * 1000
    return {"value": taken, "cpu": (time.process_time() - cpu) * 1000}, result


def calls(side: Side) -> Answer:
    side.forget()
    answer, output = timed(lambda: side.run(ADDING))
    assert output == "499500\n", output
    return answer


def main() -> None:
    kind: type[Amla] | type[Bashkit] = Amla if sys.argv[1] == "amla" else Bashkit
    files = {file.name: file.read_bytes() for file in Path(sys.argv[2]).iterdir()}
    kept: dict[str, Side] = {}

    def sandbox(name: str, **limits: Any) -> Side:
        if name not in kept:
            kept[name] = kind(files if name == "files" else {}, **limits)
        return kept[name]

    def special(name: str) -> Answer:
        if name in ENDLESS:
            return {"value": sandbox("deadline", timeout=DEADLINE).overrun(ENDLESS[name])}
        if name == "create":
            return timed(kind.hello)[0]
        return {"next": following, "next-paused": pausing, "calls": calls}[name](sandbox("bare"))

    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer = script(sandbox("files"), case["script"]) if "script" in case else special(case["special"])
        except Exception as error:
            answer = {"problem": (str(error) or type(error).__name__).strip().splitlines()[-1][:60]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
