"""What one run of the shell defines is gone in the next, and never seen by another sandbox; files alone stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from amla_sandbox import Limits, Sandbox

LEFT = {
    "variables": ("x=1; declare -A m=([a]=1); export y=2; readonly z=3", "echo ${x-} ${y-} ${m-} ${z-}; z=4"),
    "functions": ("f() { echo leaked; }; export -f f", "f; bash -c f; declare -F"),
    "shadowed commands": (
        "ls() { echo leaked; }; alias cat='echo leaked'; enable -n echo",
        "type -t ls; alias; enable -n; ls /nowhere",
    ),
    "folder": ("cd /tmp; pushd /", "pwd; dirs"),
    "traps": ("trap 'echo leaked' EXIT DEBUG ERR INT; exit 0", "trap; false; true"),
    "a trap that never came": ("trap 'echo leaked' EXIT; kill -9 $$", "trap; true"),
    "options": (
        "set -exu -o pipefail; shopt -s extglob nullglob; set -f",
        "echo $-; shopt extglob nullglob; set -o | grep pipefail",
    ),
    "positional": ("set -- a b c", 'echo $# "$@"'),
    "umask": ("umask 777", "umask; echo > f; ls -l f | cut -c1-10"),
    "IFS": (
        "IFS=,; PATH=/nowhere; HOME=/x; LANG=x; TZ=Asia/Tokyo",
        "a='1 2'; set -- $a; echo $#; ls -d ~; echo $PATH; date +%Z",
    ),
    "the environment": ("export PATH=/nowhere SHLVL=9; env -i true", "echo $SHLVL; env | sort"),
    "descriptors": ("exec 5>/tmp/five 1>&- 2>&-; exec {fd}</dev/null", "echo here; echo lost >&5; ls /dev/fd/"),
    "jobs": ("sleep 1000 & sleep 1001 & disown; exit 0", "jobs; echo ${!-}; wait; echo done"),
    "status": ("false | false; exit 9", "echo $? ${PIPESTATUS[@]} $_ ${BASH_REMATCH-} ${RANDOM:+r} $OPTIND $LINENO"),
    "random": ("RANDOM=42; SECONDS=1000", "echo $(( SECONDS < 100 ))"),
    "readonly parts": ("declare -r PATH IFS; readonly -f f; set -r", "PATH=/bin; IFS=x; cd /tmp; pwd"),
    "hash": ("hash -p /bin/true ls", "hash; type ls"),
    "js globals": (
        "js -e 'globalThis.leaked = 1; Array.prototype.leaked = 2; process.env.leaked = 3; setInterval(() => console.log(1), 5); process.exit(0)'",
        "js -e 'console.log(globalThis.leaked, [].leaked, process.env.leaked)'; sleep 0.05",
    ),
}


@pytest.fixture(scope="module")
def fresh() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def outcome(sandbox: Sandbox, script: str) -> tuple[int, str, str]:
    result = sandbox.run(script, language="shell")
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(("first", "second"), LEFT.values(), ids=LEFT)
def test_nothing_but_files_stays(fresh: Sandbox, first: str, second: str) -> None:
    """The second script does in a used sandbox, and in another one, what it does in a new one."""
    with Sandbox() as new:
        expected = outcome(new, second)
    with Sandbox(limits=Limits(timeout=1)) as used:
        used.run(first, language="shell")
        assert outcome(used, second) == expected
        assert outcome(fresh, second) == expected


def test_background_output_never_arrives_in_the_next_run() -> None:
    with Sandbox(limits=Limits(timeout=0.2)) as sandbox:
        sandbox.run(
            "(while sleep 0.01; do echo leaked; done) & (trap '' TERM; while :; do echo leaked >&2; done) & exit 0",
            language="shell",
        )
        result = sandbox.run("sleep 0.1; echo mine", language="shell")
        assert (result.stdout, result.stderr) == ("mine\n", "")
        script = sandbox.run("await new Promise((wake) => setTimeout(wake, 100)); console.log('mine')")
        assert (script.stdout, script.stderr) == ("mine\n", "")


def test_a_run_that_was_cut_short_leaves_nothing_but_files() -> None:
    with Sandbox(limits=Limits(timeout=0.2)) as sandbox:
        sandbox.fs.write("/workspace/before.txt", "before")
        script = (
            "cd /tmp; x=1; trap 'echo leaked' EXIT; echo during > /workspace/during.txt; umask 777; while :; do :; done"
        )
        assert sandbox.run(script, language="shell").exit_code == 124
        after = sandbox.run("pwd; echo ${x-}; umask; cat before.txt during.txt", language="shell")
        assert after.stdout == "/workspace\n\n0022\nbeforeduring\n"


def test_two_sandboxes_never_share() -> None:
    with Sandbox() as one, Sandbox() as other:
        one.run("echo secret > /tmp/f; echo secret > g; mkdir /workspace/d; ln -s /tmp/f l", language="shell")
        result = other.run("ls -A /workspace /tmp; cat /tmp/f g l", language="shell")
        assert result.stdout == "/tmp:\n\n/workspace:\n"
        assert "secret" not in result.stderr


def test_pids_and_substitutions_start_anew() -> None:
    with Sandbox() as sandbox:
        first = sandbox.run("echo $$; true & echo $!; echo <(:)", language="shell").stdout
        assert sandbox.run("echo $$; true & echo $!; echo <(:)", language="shell").stdout == first
