"""What a shell script may write, and where: the workspace and /tmp, within the limits, by whatever command."""

from __future__ import annotations

from pathlib import Path

import pytest

from amla_sandbox import Limits, Sandbox

MOST = 2_000_000

WRITERS = {
    "redirection": "while cat seed; do :; done > f",
    "append": "while cat seed >> f; do :; done",
    "tee": "yes | tee f g > /dev/null",
    "sort": "cat seed seed seed seed | sort -o f",
    "split": "yes | head -c 5000000 | split -b 100000 - part",
    "truncate": "truncate -s 1T f",
    "head": "head -c 5000000 /dev/zero > f",
    "cp": "for i in {1..9}; do cp seed f$i || exit; done",
    "install": "for i in {1..9}; do install seed f$i || exit; done",
    "sed -i": "sed -i 'p;p;p;p;p;p;p;p' seed",
    "awk": 'awk \'BEGIN { for (;;) print "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" > "f" }\'',
    "js": 'js -e \'for (;;) fs.appendFileSync("f", "x".repeat(100000))\'',
    "here-strings that come and go": 'for i in {1..200}; do : <<< "$(cat seed)"; done; head -c 5000000 /dev/zero > f',
    "here-string": 'while cat <<< "$(cat seed)" >> f; do :; done',
    "descriptor": "exec 5>f; while cat seed >&5; do :; done",
    "csplit": "yes | head -c 3000000 | csplit -s - 2 100",
    "process substitution": "yes | head -c 5000000 | tee >(cat > f) >(cat > g) > /dev/null; wait",
}


@pytest.mark.parametrize("script", WRITERS.values(), ids=WRITERS)
def test_no_command_writes_beyond_the_limit(script: str) -> None:
    with Sandbox(limits=Limits(timeout=3, files=MOST)) as sandbox:
        sandbox.fs.write("/workspace/seed", "0123456789abcde\n" * 40_000)
        result = sandbox.run(script, language="shell")
        usage = sandbox.run("find /workspace /tmp -type f -printf '%s\\n'", language="shell")
        total = sum(int(line) for line in usage.stdout.split())
        assert total <= MOST
        assert "files" in result.stderr + (result.error or "") or result.exit_code in (0, 124), result.stderr[-300:]
        assert sandbox.run("rm -f *; echo new > f; cat f", language="shell").stdout == "new\n"


@pytest.mark.parametrize(
    "path", ["/etc/x", "/bin/x", "/usr/bin/ls", "/dev/x", "/x", "/proc/self/mem", "/workspace/../x", "/tmp/../etc/x"]
)
@pytest.mark.parametrize(
    "script",
    [
        "echo x > {path}",
        "ln -sfn {path} l && echo x > l",
        "cp seed {path}",
        "mv seed {path}",
        "ln seed {path}",
        "mkdir {path}.d",
        "tee {path} < seed",
        "cd {path}/.. && echo x > x",
    ],
)
def test_nothing_is_written_outside(script: str, path: str) -> None:
    with Sandbox() as sandbox:
        before = sandbox.run(
            "find / -path /workspace -prune -o -path /tmp -prune -o -print | sort", language="shell"
        ).stdout
        sandbox.fs.write("/workspace/seed", "seed")
        result = sandbox.run(f"{script.format(path=path)} 2>&1", language="shell")
        assert result.exit_code != 0
        after = sandbox.run(
            "find / -path /workspace -prune -o -path /tmp -prune -o -print | sort", language="shell"
        ).stdout
        assert after == before


def test_nothing_of_the_host_is_seen() -> None:
    with Sandbox() as sandbox:
        script = "cat /etc/passwd /proc/1/environ /proc/self/maps /root/.bashrc /home/*/.ssh/id_rsa; cat < /dev/tcp/127.0.0.1/80; exec 3<>/dev/tcp/127.0.0.1/22; env"
        result = sandbox.run(script, language="shell")
        host = Path("/etc/passwd").read_text().splitlines()[-1] if Path("/etc/passwd").exists() else "PYTHON"
        assert host not in result.stdout
        assert not {"PYTHONPATH", "PYTEST_CURRENT_TEST"} & {
            line.partition("=")[0] for line in result.stdout.splitlines()
        }


def test_descriptors_lead_to_open_files_only() -> None:
    with Sandbox() as sandbox:
        script = "exec 5<kept; cat /dev/fd/5; cat /dev/fd/99; echo x > /dev/fd/5; cat kept; readlink /dev/fd/5; : > /dev/fd/../x"
        sandbox.fs.write("/workspace/kept", "kept\n")
        result = sandbox.run(script, language="shell")
        assert result.exit_code != 0
        assert sandbox.fs.read("/workspace/kept") in (b"kept\n", b"x\n")


def test_removing_all_leaves_a_sandbox_that_works() -> None:
    with Sandbox() as sandbox:
        sandbox.run(
            "rm -rf / --no-preserve-root; rm -rf /* /workspace /tmp /dev /bin; mv /workspace /gone", language="shell"
        )
        assert (
            sandbox.run(
                "cd /workspace && echo new > f && cat f && echo t > /tmp/t && cat /tmp/t", language="shell"
            ).stdout
            == "new\nt\n"
        )
