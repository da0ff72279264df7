"""Whatever a shell script does, the run ends at its deadline, the sandbox goes on, and its files are kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from amla_sandbox import Limits, Sandbox

SECONDS = 0.2
LATE = 2
"""Seconds behind the deadline that a busy machine may take; an idle one takes a few milliseconds."""

ENDLESS = {
    # the interpreter
    "while": "while :; do :; done",
    "until": "until false; do :; done",
    "for": "for ((;;)); do :; done",
    "arithmetic": "while ((1)); do ((n++)); done",
    "a condition": "while :; do [[ a == b* ]]; done",
    "a program": "while :; do /bin/true; done",
    "a subshell": "(while :; do :; done)",
    "a shell in a shell": "sh -c 'sh -c \"while :; do :; done\"'",
    "a job": "while :; do :; done & wait",
    "a trap that refuses": "trap '' TERM INT EXIT; while :; do :; done",
    "a trap that goes on": "trap 'while :; do :; done' EXIT; exit",
    "eval": "eval 'while :; do :; done'",
    "a source without end": "source /dev/stdin < <(yes 'true')",
    "output": "while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done",
    "a file": "while :; do echo x >> g; done",
    # waiting
    "sleep": "sleep 1000",
    "wait": "sleep 1000 & wait",
    "read": "read -r line < <(sleep 1000)",
    "substitution": "cat <(sleep 1000)",
    "tail": "tail -f kept.txt",
    # commands
    "yes": "yes > /dev/null",
    "a pipeline": "yes | tr y z | grep -c a",
    "seq": "seq 1000000000000000 | tail -1",
    "cat": "cat /dev/zero | md5sum",
    "awk": "awk 'BEGIN { while (1) n++ }'",
    "an awk function": "awk 'function f(n) { while (1) n++ } BEGIN { f(1) }'",
    "awk's input": "yes | awk '{ n++ } END { print n }'",
    "jq": "jq -n 'def f: f; f'",
    "jq's range": "jq -n 'first(range(1e15) | select(. < 0))'",
    "sed": "echo x | sed ':a;s/x/x/;ta'",
    "grep": "yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | grep -P '^(a|aa)+$(?!.)b'",
    "find": "find / -exec sh -c 'while :; do :; done' \\;",
    "xargs": "yes | xargs -n1 true",
    "xargs at once": "echo a b c | xargs -P0 -n1 sh -c 'while :; do :; done'",
    "js": "js -e 'for (;;);'",
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(limits=Limits(timeout=SECONDS)) as sandbox:
        sandbox.fs.write("/workspace/kept.txt", "kept")
        yield sandbox


@pytest.mark.parametrize("script", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_script_ends_and_the_sandbox_goes_on(sandbox: Sandbox, script: str) -> None:
    result = sandbox.run(script, "shell")

    assert result.exit_code == 124, result.error or result.stderr
    assert "timed out" in (result.error or "")
    assert result.usage.wall_seconds < SECONDS + LATE
    after = sandbox.run("cat kept.txt", "shell")
    assert (after.exit_code, after.stdout) == (0, "kept"), after.error


def test_what_the_script_wrote_before_its_end_is_kept(sandbox: Sandbox) -> None:
    sandbox.run("echo new > new.txt; while :; do :; done", "shell")
    assert sandbox.run("cat new.txt", "shell").stdout == "new\n"


HUNGRY = {
    "an array": "jq -n '[range(1e9)]'",
    "a text": "jq -n '\"x\" * 2e9'",
    "texts": "jq -n '[range(1e9) | tostring]'",
    "the stack": "jq -n 'def f: 1 + f; f'",
    "input": "yes '[1,2,3,\"text\"]' | jq -s length",
}


@pytest.mark.parametrize("command", HUNGRY.values(), ids=HUNGRY)
def test_jq_that_runs_out_of_memory_fails_as_a_command(command: str) -> None:
    """As where the system has no more: jq aborts, the script goes on, and what it wrote is there."""
    with Sandbox(limits=Limits(memory=100_000_000)) as sandbox:
        result = sandbox.run(f"echo new > new.txt; {command}; echo $?; cat new.txt; jq -n '[range(5)] | add'", "shell")
        assert (result.exit_code, result.error) == (0, None)
        assert (result.stdout, result.stderr) == ("134\nnew\n10\n", "jq: error: cannot allocate memory\n")
        assert sandbox.run("for i in {1..20}; do jq -n '[range(1e9)]' 2> err; done; cat err", "shell").stderr == ""


STARVED = {
    "a substitution": "x=$(yes)",
    "words": "for i in $(yes); do :; done",
    "a here-string": "cat <<< $(yes)",
}


@pytest.mark.parametrize("script", STARVED.values(), ids=STARVED)
def test_memory_that_ran_out_is_there_again_for_the_next_run(script: str) -> None:
    with Sandbox(limits=Limits(memory=100_000_000)) as sandbox:
        assert sandbox.run(script, "shell").exit_code == 137
        result = sandbox.run("x=$(seq 100000); echo ${#x}; echo b | sort; jq -n 1", "shell")
        assert (result.exit_code, result.stdout) == (0, "588894\nb\n1\n"), result.error
        sandbox.fs.write("large", b"x" * 10_000_000)


STOPPED = {
    "awk": "awk '{ a[NR] = $0 } END { system(\"sleep 9\") }' <(seq 100000)",
    "sort": "sort -u <(seq 100000) | sleep 9",
    "sed": "sed 'H;${x;p}' <(seq 100000) | sleep 9",
}


@pytest.mark.parametrize("script", STOPPED.values(), ids=STOPPED)
def test_commands_of_runs_that_were_stopped_keep_no_memory(script: str) -> None:
    with Sandbox(limits=Limits(timeout=0.5)) as sandbox:
        sizes = [sandbox.run(script, "shell").usage.memory_bytes for _ in range(12)]
        assert min(sizes[6:]) <= max(sizes[:6]), sizes  # where some is kept, each needs more than those before it


FORKS = {
    "a fork bomb": ":(){ :|:& };:",
    "jobs": "f() { f | f & }; f; wait",
    "sleepers": "while :; do sleep 1000 & done",
}


@pytest.mark.parametrize("script", FORKS.values(), ids=FORKS)
def test_processes_have_a_limit_that_is_named(script: str) -> None:
    with Sandbox(limits=Limits(timeout=2)) as sandbox:
        sandbox.fs.write("/workspace/kept.txt", "kept")
        result = sandbox.run(script, "shell")
        assert "fork: too many processes (limit: 512)" in result.stderr
        assert sandbox.run("echo $((1 + 1)); cat kept.txt", "shell").stdout == "2\nkept"


DEEP = {
    "functions": ("f() { f; }; f", "maximum function nesting level exceeded (10000)"),
    "eval": ('x=\'eval "$x"\'; eval "$x"', "use a loop in place of recursion"),
    "braces": ("echo {1..1000000000}", "brace expansion: more than"),
    "a text": (
        "x=aaaaaaaaaa; while :; do x=$x$x; done",
        "a text grew longer than this sandbox can hold (1 GiB): write it to a file",
    ),
    "parentheses": (f"{'(' * 5000}:{')' * 5000}", ""),
    "an expression": (f"echo $(({'(' * 20000}1{')' * 20000}))", ""),
    "substitutions": (f"echo {'$(' * 3000}:{')' * 3000}", ""),
}


@pytest.mark.parametrize(("script", "reason"), DEEP.values(), ids=DEEP)
def test_nesting_and_growth_end_with_a_reason(script: str, reason: str) -> None:
    """Not with a crash of the guest: the sandbox goes on."""
    with Sandbox(limits=Limits(timeout=20)) as sandbox:
        result = sandbox.run(script, "shell")
        assert result.error is None, result.error
        assert 0 <= result.exit_code <= 2
        assert reason in result.stderr
        assert sandbox.run("echo on", "shell").stdout == "on\n"


MEMORY = {
    "sort": "yes | sort",
    "a variable": "x=$(yes)",
    "files": "while :; do head -c 10000000 /dev/zero > f$n || exit; n=$((n + 1)); done",
    "awk": "awk 'BEGIN { while (1) a[n++] = n }'",
}


@pytest.mark.parametrize("script", MEMORY.values(), ids=MEMORY)
def test_memory_has_a_limit(script: str) -> None:
    with Sandbox(limits=Limits(timeout=60, memory=100_000_000)) as sandbox:
        sandbox.fs.write("/workspace/kept.txt", "kept")
        result = sandbox.run(script, "shell")
        assert result.exit_code not in (0, 124)
        assert "memory" in f"{result.error}{result.stderr}" or "No space left" in result.stderr
        assert sandbox.run("cat kept.txt", "shell").stdout == "kept"


GARBAGE = {
    "names": "mkdir -p a/b/c/d/e; shopt -s globstar; echo **/../**/../**/../**/../**/../**/../**/../**",
    "an endless line": "read x < /dev/zero",
    "words": 'while :; do a=({1..300000}); b=("${a[@]}"); done',
}


@pytest.mark.parametrize("script", GARBAGE.values(), ids=GARBAGE)
def test_what_a_run_wrote_is_kept_though_it_left_much_to_put_away(sandbox: Sandbox, script: str) -> None:
    result = sandbox.run(f"echo new > new.txt; {script}", "shell")
    assert result.exit_code in (124, 137), result.error
    assert sandbox.run("cat new.txt kept.txt", "shell").stdout == "new\nkept"


def test_the_limit_on_memory_is_named() -> None:
    with Sandbox(limits=Limits(timeout=60, memory=100_000_000)) as sandbox:
        result = sandbox.run("yes | sort", "shell")
    assert "out of memory (limit 'memory'): work through" in (result.error or "")


@pytest.mark.parametrize("source", ["/dev/null", "<(yes)"])
def test_descriptors_that_run_out_are_an_error_of_the_command(source: str) -> None:
    """As in bash: the redirection fails with a message, and the script goes on."""
    with Sandbox(limits=Limits(timeout=20)) as sandbox:
        script = f"n=0; while exec {{fd}}< {source}; do ((++n)); done; echo $? after $((n > 400))"
        result = sandbox.run(script, "shell")
    assert (result.stdout, result.error) == ("0 after 1\n", None), result.stderr
    assert "Too many open files" in result.stderr or "too many processes" in result.stderr
