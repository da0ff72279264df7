"""Whatever a shell script does, it ends at its deadline or at a limit that is named; the sandbox and its files stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from amla_sandbox import Limits, Sandbox

SECONDS = 0.2

ENDLESS = {
    "loop": "while :; do :; done",
    "for": "for ((;;)); do :; done",
    "substitution": "x=$(while :; do :; done)",
    "pipeline": "while :; do echo x; done | cat | wc -l",
    "background": "for i in {1..20}; do while :; do :; done & done",
    "ignored signals": "trap : INT TERM EXIT; while :; do :; done",
    "exit trap": "trap 'while :; do :; done' EXIT; exit 3",
    "debug trap": "f() { :; }; trap 'f; f' DEBUG; while :; do :; done",
    "condition": "while f; do :; done; f() { while :; do :; done; }; f",
    "fork bomb": "f() { f | f & }; f",
    "forks that wait": "f() { f & f & wait; }; f",
    "forks again and again": "while :; do (:); done",
    "yes": "yes",
    "yes into a pipe": "yes | wc -l",
    "a line without end": "yes | tr -d '\\n' | cut -c5",
    "read without end": "yes | tr -d '\\n' | read x",
    "an array without end": "read -a a < <(yes | tr '\\n' ' ')",
    "uniq": "yes | uniq",
    "head": "head -c 1T /dev/zero | md5sum",
    "comm": "comm <(yes) <(yes)",
    "tail": "tail -f kept.txt",
    "sed": "echo a | sed ':a;ta;ba'",
    "sed grows": "echo a | sed ':a;s/$/&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/;ta'",
    "sed deletes": "echo a | sed 's/^/b\\n/;D'",
    "awk": "awk 'BEGIN { while (1); }'",
    "awk commands": "awk 'BEGIN { for (;;) system(\"true\") }'",
    "jq": "jq -n 'repeat(1)'",
    "jq recursion": "jq -n 'def f: f; f'",
    "jq parser": "yes '[]' | jq -c .",
    "glob": "ln -s . a; ln -s . b; echo */*/*/*/*/*/*/*/*/*/*/*/*/*/*",
    "pattern": "shopt -s extglob; x=$(head -c 3000 /dev/zero | tr '\\0' a); [[ $x == *(*(a)|*(aa))*(a|aa)!(*a)b ]]",
    "arrays double": 'a=(1); while :; do a+=("${a[@]}"); done',
    "mapfile": "mapfile a < <(yes)",
    "sleep": "sleep infinity",
    "timeout": "timeout 1e300 sleep infinity",
    "wait": "sleep infinity & wait",
    "read": "sleep infinity | read x",
    "js": "js -e 'for (;;);'",
    "js timers": "js -e 'setInterval(() => {}, 0)' &",
    "seq": "seq inf > /dev/null",
    "factor": "factor 1522605027922533360535618378132637429718068114961380688657908494580122963258952897654000350692006139",
    "xargs": "yes | xargs -P0 -n1 true",
    "find": "while :; do find / > /dev/null; done",
    "shuf": "shuf -r -e a > /dev/null",
    "process substitutions": "while :; do cat <(echo 1) > /dev/null; done",
    "descriptors": "while :; do exec {fd}< <(yes); done",
    "select": "yes | select x in a b; do :; done",
    "getopts": "while getopts a x -aaaa; do OPTIND=1; done",
    "output to nowhere": "exec 1>&-; while :; do echo hi; done",
}

BOUNDED = {
    "function": "f() { f; }; f",
    "sourced": "echo 'source ./s.sh' > s.sh; source ./s.sh",
    "script": "printf '#!/bin/bash\\n./s.sh\\n' > s.sh; chmod +x s.sh; ./s.sh",
    "eval": 'f=\'eval "$f"\'; eval "$f"',
    "trap again": "trap 'kill -TERM $$' TERM; kill -TERM $$; while :; do :; done",
    "error trap": "f() { false; f; }; set -E; trap f ERR; false",
    "bash -c": 'export c=\'bash -c "$c"\'; bash -c "$c"',
    "arithmetic": "x=x; echo $((x))",
    "parser": "x='$('; for i in {1..12}; do x=$x$x; done; eval \"echo $x\"",
    "quotes": 'x=\'${x:-"\'; for i in {1..12}; do x=$x$x; done; eval "echo $x"',
    "text": "x=x; while :; do x=$x$x; done",
    "width": "printf '%2000000000d' 1",
    "braces": "echo {1..999999999}",
    "regex": "[[ x =~ ((((((a{1,200}){1,200}){1,200}){1,200}))) ]]",
    "sort": "sort /dev/zero",
    "awk": "awk 'BEGIN { s = \"x\"; for (;;) s = s s }'",
    "awk recursion": "awk 'function f(n) { return f(n + 1) } BEGIN { f(1) }'",
    "jq": "jq -n '\"x\" | until(false; . + .)'",
    "jq depth": "yes '[' | tr -d '\\n' | jq -c .",
    "jq recursion": "jq -n 'def f: [f]; f'",
    "dates": "date -d @9223372036854775807",
    "jq text": "jq -n '\"x\" * 1e9 | length'",
    "js": "js -e 'function f() { f() } f()'",
    "jobs": "for i in {1..1000}; do sleep 1 & done",
    "files": "for ((i = 0; i < 2000; i++)); do : > f$i || exit; done  # file_count is 1,000",
    "truncate": "truncate -s 1T f",
    "aliases": "shopt -s expand_aliases; alias a='a a'; a",
    "links": "ln -s self self; cat self/a",
    "long name": "x=$(head -c 5000 /dev/zero | tr '\\0' a); : > $x",
    "signals": "kill -9 $$",
    "exec": "echo 'exec bash s.sh' > s.sh; exec bash s.sh",
}


def assert_usable(sandbox: Sandbox) -> None:
    after = sandbox.run("cat /workspace/kept.txt", language="shell")
    assert (after.exit_code, after.stdout) == (0, "kept"), (after.error, after.stderr)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(limits=Limits(timeout=SECONDS)) as sandbox:
        sandbox.fs.write("/workspace/kept.txt", "kept")
        yield sandbox


@pytest.mark.parametrize("script", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_script_ends_and_the_sandbox_goes_on(sandbox: Sandbox, script: str) -> None:
    result = sandbox.run(script, language="shell")

    assert result.exit_code == 124, (result.error, result.stderr[-300:])
    assert "timed out" in (result.error or "")
    assert result.usage.wall_seconds < SECONDS + 2, "far beyond the deadline, even on a busy machine"
    assert_usable(sandbox)


@pytest.mark.parametrize("script", BOUNDED.values(), ids=BOUNDED)
def test_what_grows_without_end_meets_a_limit_that_says_so(script: str) -> None:
    with Sandbox(limits=Limits(timeout=15, file_count=1000)) as sandbox:
        sandbox.fs.write("/workspace/kept.txt", "kept")
        result = sandbox.run(script, language="shell")

        assert result.exit_code not in (0, 124, 125), (result.error, result.stderr[-300:])
        said = f"{result.stderr}{result.error or ''}"
        assert said or result.exit_code == 137, "a script that ends early says why"
        assert "Uncaught" not in said
        assert "backtrace" not in said
        assert "TypeError" not in said
        assert_usable(sandbox)


def test_files_of_the_run_that_ran_into_its_deadline_are_kept() -> None:
    """A loop is asked to end, not killed: killed, it would lose what it wrote."""
    with Sandbox(limits=Limits(timeout=SECONDS)) as sandbox:
        result = sandbox.run("echo half > result.txt; echo said; while :; do :; done", language="shell")
        assert (result.exit_code, result.stdout) == (124, "said\n")
        assert sandbox.fs.read("/workspace/result.txt") == b"half\n"


WORDS = "a=({1..200000})"
TEXT = "x=$(head -c 2000000 /dev/zero | tr '\\0' a)"
HEARING = {
    "copy": (WORDS, 'b=("${a[@]}")'),
    "append": (WORDS, 'b=(); b+=("${a[@]}")'),
    "join": (WORDS, 'x="${a[*]}"'),
    "join by a comma": (f"{WORDS}; IFS=,", 'x="${a[*]}"'),
    "slice": (WORDS, 'b=("${a[@]:1}")'),
    "indices": (WORDS, 'b=("${!a[@]}")'),
    "replace in elements": (WORDS, 'b=("${a[@]/1/b}")'),
    "remove from elements": (WORDS, 'b=("${a[@]%%0*}")'),
    "quote elements": (WORDS, 'b=("${a[@]@Q}")'),
    "split": (f'{WORDS}; x="${{a[*]}}"', "b=($x)"),
    "set": (WORDS, 'set -- "${a[@]}"'),
    "shift": (f'{WORDS}; set -- "${{a[@]}}"', "shift"),
    "call": (f"{WORDS}; f() {{ :; }}", 'f "${a[@]}"'),
    "for": (WORDS, 'for x in "${a[@]}"; do break; done'),
    "printf": (WORDS, "printf '%s\\n' \"${a[@]}\" > /dev/null"),
    "printf -v": (WORDS, "printf -v x '%s,' \"${a[@]}\""),
    "echo": (WORDS, 'echo "${a[@]}" > /dev/null'),
    "declare -p": (WORDS, "declare -p a > /dev/null"),
    "unset": ("", f"{WORDS}; unset a"),
    "gaps": (WORDS, 'b=("${a[@]}"); unset "b[5]"; c=("${b[@]}")'),
    "fork": (WORDS, "(a[1]=x)"),
    "mapfile": ("seq 200000 > f", "mapfile -t a < f"),
    "read -a": (f'{WORDS}; echo "${{a[@]}}" > f', "read -r -a b < f"),
    "sort": (WORDS, "b=($(printf '%s\\n' \"${a[@]}\" | sort -r))"),
    "braces": ("", "echo {1..200000} > /dev/null"),
    "arguments": (WORDS, '[ -n "${a[*]}" ]'),
    "replace": (TEXT, "y=${x//a/b}"),
    "replace by a pattern": (TEXT, "y=${x//[ac]/b}"),
    "case": (TEXT, "y=${x^^}"),
    "compare": (TEXT, '[[ "$x" == "$x" ]]'),
    "match": (TEXT, "[[ $x == *b*c ]]"),
    "regex": (TEXT, "[[ $x =~ (a*)b ]]"),
    "characters": (f"{TEXT}; x+=é", "y=${x:1999999:1}"),
    "here-string": (TEXT, 'cat <<< "$x" > /dev/null'),
    "substitution": (TEXT, 'y=$(printf %s "$x")'),
    "read": (f'{TEXT}; echo "$x" > f', "read -r y < f"),
    "read from a pipe": (TEXT, 'echo "$x" | { read -r y; }'),
    "eval": ("printf -v x ':; %.0s' {1..20000}", 'eval "$x"'),
    "eval a word": (TEXT, 'eval "y=$x"'),
    "eval words": (f'{WORDS}; x="${{a[*]}}"', 'eval "b=($x)"'),
    "variables": ('for ((i = 0; i < 20000; i++)); do printf -v "v$i" x; done', "set > /dev/null"),
    "glob": ("for ((i = 0; i < 900; i++)); do : > f$i; done", "echo f*[0-9]* > /dev/null"),
}


@pytest.mark.parametrize(("before", "work"), HEARING.values(), ids=HEARING)
def test_long_work_hears_that_the_time_is_up(before: str, work: str) -> None:
    """Each pass takes longer than the host would wait for what does not look whether to go on, and then lose the files."""
    with Sandbox(limits=Limits(timeout=0.6, memory=512 << 20)) as sandbox:
        result = sandbox.run(f"echo half > result.txt\n{before}\nwhile :; do {work}; done", language="shell")

        assert result.exit_code == 124, (result.error, result.stderr[-300:])
        assert sandbox.fs.read("/workspace/result.txt") == b"half\n"


def test_a_line_longer_than_a_pipe_passes() -> None:
    with Sandbox() as sandbox:
        script = "head -c 300000 /dev/zero | tr '\\0' a | { read -r line; echo ${#line}; }"
        assert sandbox.run(script, language="shell").stdout == "300000\n"
