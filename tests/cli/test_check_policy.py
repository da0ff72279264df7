"""`amla check-policy` as people and hooks use it: what it says, its statuses, its options."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_process import COMMAND, Amla, Ended, environment

MANIFEST = """\
[tools.pay]
command = ["pay", "{amount}"]
params.amount = { type = "integer", minimum = 1 }
constraints = { amount = "<=100" }

[tools.find]
command = ["find", "{name}"]
params.name = { type = "string" }
allow = true
max_calls = 2
mock = ["a", "b"]

[[tests]]
call = "pay"
args = { amount = 500 }
expect = "deny"
"""


@pytest.fixture
def amla(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Amla:
    """The command line in this process, which is quicker; `test_as_a_process` tries the real one."""
    from amla_cli import __main__ as cli

    monkeypatch.setattr(cli, "_catch_sigterm", lambda: None)
    monkeypatch.chdir(tmp_path)

    def run(*args: str, **_: Any) -> Ended:
        capfd.readouterr()
        monkeypatch.setattr(sys, "argv", ["amla", *args])
        status = cli.main()
        said = capfd.readouterr()
        return Ended(status, said.out.encode(), said.err)

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.toml").write_text(MANIFEST)
    (tmp_path / "good.js").write_text("console.log(await pay({ amount: 5 }));\n")
    (tmp_path / "late.js").write_text("console.log(await pay({ amount: Number(process.argv[2]) }));\n")
    (tmp_path / "bad.js").write_text("await pay({ amount: 500 });\nawait fnid({ name: 'x' });\n")
    (tmp_path / "broken.js").write_text("await pay({ amount: 5 );\n")
    return tmp_path


CHECK = ("check-policy", "--tools", "tools.toml")


def report(amla: Amla, *words: str, tools: str | None = "tools.toml") -> Any:
    named = ("--tools", tools) if tools else ()
    return json.loads(amla("check-policy", *named, "--format", "json", *words).out)


# What it says, and its status


def test_findings_come_first_and_the_last_line_sums_up(amla: Amla, folder: Path) -> None:
    ended = amla(*CHECK, "good.js", "late.js", "bad.js")
    assert ended.status == 1
    assert ended.out.decode().splitlines() == [
        "bad.js:1:7: AM401 pay is denied: amount 500 violates amount <= 100",
        "    await pay({ amount: 500 });",
        "          ^",
        "    amount must meet amount <= 100",
        "bad.js:2:7: AM403 there is no tool 'fnid'",
        "    await fnid({ name: 'x' });",
        "          ^",
        "    did you mean find?",
        "4 files; 4 calls in scripts (1 allowed, 1 at run time, 1 denied, 1 unknown tool); 1 test, 0 failed; 2 errors",
    ]
    assert ended.err == ""


# Several manifests


@pytest.fixture
def projects(folder: Path) -> Path:
    """Two projects that declare one tool, each with a script, and a script of neither."""
    for name, most in (("a", 100), ("b", 5)):
        (folder / name / "scripts").mkdir(parents=True)
        (folder / name / "tools.toml").write_text(MANIFEST.replace("<=100", f"<={most}"))
        (folder / name / "scripts" / "pay.js").write_text("await pay({ amount: 50 });\n")
    return folder


SCRIPTS = ("a/scripts/pay.js", "b/scripts/pay.js")


def test_manifests_among_the_files_are_projects_of_their_own(amla: Amla, projects: Path) -> None:
    data = report(amla, "a/tools.toml", *SCRIPTS, "b/tools.toml", tools=None)
    assert [(f["code"], f["file"], f["line"]) for f in data["findings"]] == [("AM401", "b/scripts/pay.js", 1)]
    assert [(test["file"], test["passed"]) for test in data["tests"]] == [
        ("a/tools.toml", True),
        ("b/tools.toml", True),
    ]
    assert {site["file"]: site["verdict"] for site in data["sites"]} == {SCRIPTS[0]: "allowed", SCRIPTS[1]: "denied"}
    assert data["unchecked"] == []


def test_a_fault_in_one_project_does_not_keep_the_other_from_being_checked(amla: Amla, projects: Path) -> None:
    (projects / "a" / "tools.toml").write_text("[tools.pay]\ncomand = ['pay']\n")
    data = report(amla, "a/tools.toml", "b/tools.toml", *SCRIPTS, tools=None)
    assert {(f["file"], f["code"]) for f in data["findings"] if f["file"][0] == "b"} == {("b/scripts/pay.js", "AM401")}
    assert [one["file"] for one in data["unchecked"]] == ["a/scripts/pay.js"]


def test_a_script_of_no_project_or_of_two_is_not_checked(amla: Amla, projects: Path) -> None:
    (projects / "b" / "other.toml").write_text(MANIFEST)
    named = ("a/tools.toml", "b/tools.toml", "b/other.toml", "good.js", *SCRIPTS)
    data = report(amla, *named, tools=None)
    assert {one["file"]: one["message"] for one in data["unchecked"]} == {
        "good.js": "no manifest lies beside it or above: say with --tools by which it is judged",
        "b/scripts/pay.js": "b/tools.toml and b/other.toml lie beside it: say with --tools by which it is judged",
    }
    assert amla("check-policy", *named).status == 2


def test_tools_judge_all_scripts_beside_projects_among_the_files(amla: Amla, projects: Path) -> None:
    data = report(amla, "a/tools.toml", "b/tools.toml", *SCRIPTS, tools="tools.toml")
    assert {site["verdict"] for site in data["sites"]} == {"allowed"}
    assert len(data["tests"]) == 3


@pytest.mark.parametrize("words", [("--explain", "pay {}"), ("--against", "tools.toml")])
def test_what_is_about_one_policy_is_not_asked_of_two(amla: Amla, projects: Path, words: tuple[str, ...]) -> None:
    ended = amla("check-policy", "a/tools.toml", "b/tools.toml", *words)
    assert ended.status == 2
    assert f"{words[0]} is about one policy" in ended.err


def test_as_a_process(folder: Path) -> None:
    for script, status in (("good.js", 0), ("bad.js", 1), ("broken.js", 2)):
        done = subprocess.run(
            [*COMMAND, *CHECK, script], cwd=folder, env=environment(), capture_output=True, timeout=60
        )
        assert (done.returncode, done.stderr) == (status, b"")
        assert done.stdout.count(b"\n2 files; ") == (status > 0)


def test_nothing_found_is_status_0(amla: Amla, folder: Path) -> None:
    ended = amla(*CHECK, "good.js", "late.js")
    assert ended.status == 0
    assert ended.out.endswith(b"nothing found\n")
    assert amla(*CHECK, "-q", "good.js", "late.js").out == b""


def test_the_open_constraint_is_named(amla: Amla, folder: Path) -> None:
    ended = amla(*CHECK, "-v", "late.js")
    assert b"late.js:1:19: pay: at run time: amount <= 100 ('amount' is not a constant)\n" in ended.out
    [site] = report(amla, "late.js")["sites"]
    assert site["open"] == ["amount <= 100"]


def test_strict_counts_what_is_decided_at_run_time(amla: Amla, folder: Path) -> None:
    assert amla(*CHECK, "good.js", "--strict").status == 0
    ended = amla(*CHECK, "late.js", "--strict")
    assert ended.status == 1
    assert ended.out.startswith(b"late.js:1:19: AM404 pay is decided at run time: amount <= 100")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gone.js",), b"gone.js:1:1: not checked: cannot read gone.js: No such file or directory"),
        (("broken.js",), b"broken.js:1:23: AM407 not checked: Unexpected token ')'\n    await pay({ amount: 5 );\n"),
        (("tools.toml", "gone.toml"), b"gone.toml:1:1: not checked: cannot be read: No such file or directory"),
        (("notes.txt",), b"notes.txt:1:1: not checked: notes.txt: the name does not say what language it is in"),
    ],
)
def test_what_cannot_be_checked_is_status_2(amla: Amla, folder: Path, words: tuple[str, ...], said: bytes) -> None:
    (folder / "notes.txt").write_text("hello\n")
    ended = amla(*CHECK, *words)
    assert ended.status == 2
    assert ended.out.startswith(said)


def test_a_faulty_manifest_leaves_scripts_unchecked(amla: Amla, folder: Path) -> None:
    (folder / "tools.toml").write_text(MANIFEST.replace("<=100", "=<100"))
    ended = amla(*CHECK, "good.js")
    assert ended.status == 2
    assert b"tools.toml:4:26: AM114 " in ended.out
    assert b"good.js:1:1: not checked: its calls cannot be judged while the manifest has faults" in ended.out
    assert amla(*CHECK).status == 1  # the fault alone is a finding


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check-policy", "good.js"), "there is no manifest to check"),
        ((*CHECK, "good.js", "--timeout", "2s"), "limits are those of scripts that run"),
        ((*CHECK, "--run"), "there is no script to run"),
        ((*CHECK, "--explain", "pay {}", "good.js"), "--explain is about one call"),
        ((*CHECK, "--format", "xml"), "--format"),
        ((*CHECK, "empty"), "there are no scripts in empty"),
        ((*CHECK, "good.js", "--run", "--timeout", "soon"), "--timeout"),
        (("check-policy", "--tools", "tools.toml", "--tools", "other.toml"), "tool 'pay' is declared twice"),
    ],
)
def test_contradictions_are_refused(amla: Amla, folder: Path, words: tuple[str, ...], said: str) -> None:
    (folder / "empty").mkdir()
    (folder / "other.toml").write_text(MANIFEST)
    ended = amla(*words)
    assert (ended.status, ended.out) == (2, b"")
    assert said in ended.err
    assert "Traceback" not in ended.err


def test_two_formats_are_refused_in_the_one_that_all_commands_have(amla: Amla, folder: Path) -> None:
    ended = amla(*CHECK, "--json", "--format", "sarif")
    [error] = json.loads(ended.out)["errors"]
    assert (ended.status, error["message"]) == (2, "--json and --format sarif ask for two formats")


def test_a_folder_stands_for_the_scripts_in_it(amla: Amla, folder: Path) -> None:
    for name in (
        "jobs/a.js",
        "jobs/deep/b.ts",
        "jobs/c.sh",
        "jobs/.hidden/d.js",
        "jobs/node_modules/e.js",
        "jobs/f.md",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("tool find --name x\n" if name.endswith(".sh") else "await find({ name: 'x' })\n")
    assert report(amla, "jobs")["files"] == ["tools.toml", "jobs/a.js", "jobs/c.sh", "jobs/deep/b.ts"]


def test_json_is_the_same_in_the_envelope_of_all_commands(amla: Amla, folder: Path) -> None:
    envelope = json.loads(amla(*CHECK, "--json", "bad.js").out)
    assert (envelope["command"], envelope["success"], envelope["exit_code"]) == ("check-policy", False, 1)
    assert envelope["result"] == report(amla, "bad.js")


def test_manifests_may_be_among_the_files(amla: Amla, folder: Path) -> None:
    """As a hook passes them."""
    assert amla("check-policy", "good.js", "tools.toml").status == 0
    assert report(amla, "tools.toml", "good.js")["files"] == ["tools.toml", "good.js"]


# Suppressions


def test_findings_in_scripts_are_accepted_by_code_or_by_script(amla: Amla, folder: Path) -> None:
    def codes(suppressed: str) -> list[str]:
        (folder / "tools.toml").write_text(f"{MANIFEST}\n[check.suppress]\n{suppressed}\n")
        return [found["code"] for found in report(amla, "bad.js", "late.js", "--strict")["findings"]]

    assert codes("") == ["AM401", "AM403", "AM404"]
    assert codes('AM404 = "all scripts take arguments"') == ["AM401", "AM403"]
    assert codes('AM403 = { reason = "defined by the host", path = "bad.js" }') == ["AM401", "AM404"]
    assert codes('AM403 = { reason = "defined by the host", path = "late.js" }') == ["AM401", "AM403", "AM404"]


def test_a_script_that_cannot_be_parsed_is_never_accepted(amla: Amla, folder: Path) -> None:
    (folder / "tools.toml").write_text(f'{MANIFEST}\n[check.suppress]\nAM407 = "later"\n')
    assert b"AM128" in amla(*CHECK).out


# --explain


def test_explain_shows_the_derivation(amla: Amla, folder: Path) -> None:
    ended = amla(*CHECK, "--explain", 'pay {"amount": 500}')
    assert ended.status == 1
    assert ended.out.decode().splitlines()[:5] == [
        'pay {"amount": 500}',
        "denied CONSTRAINT_VIOLATED: amount 500 violates amount <= 100",
        "       needed: amount must meet amount <= 100",
        "",
        "what the tool's own table demands of every call of pay",
    ]
    assert amla(*CHECK, "--explain", 'pay {"amount": 50}').status == 0
    data = json.loads(amla(*CHECK, "--json", "--explain", "find").out)
    assert data["result"]["decision"]["code"] == "BAD_ARGUMENTS"


@pytest.mark.parametrize(
    ("call", "status", "said"),
    [
        ('pay {"amount": "5"}', 1, "denied BAD_ARGUMENTS: amount must be an integer"),
        ('pay {"amount": 5, "amount": 6}', 2, "appears twice"),
        ('pay {"amount": 5', 2, "the arguments cannot be read"),
        ('payy {"amount": 5}', 2, "there is no tool 'payy'; did you mean 'pay'?"),
        ('{"amount": 5}', 2, "no tool is named"),
        ('find {"name": "-delete"}', 1, "denied BAD_ARGUMENTS: name must not start with '-'"),
    ],
)
def test_explain_says_what_is_wrong_with_a_call(amla: Amla, folder: Path, call: str, status: int, said: str) -> None:
    ended = amla(*CHECK, "--explain", call)
    assert ended.status == status
    assert said in ended.out.decode() + ended.err


# --against


def test_against_finds_what_widened(amla: Amla, folder: Path) -> None:
    (folder / "new.toml").write_text(MANIFEST.replace("<=100", "<=1000").replace("500", "5000"))
    ended = amla("check-policy", "--tools", "new.toml", "--against", "tools.toml")
    assert ended.status == 1
    assert b"new.toml:4:1: AM502" in ended.out
    assert amla(*CHECK, "--against", "tools.toml").status == 0
    narrower = amla("check-policy", "--tools", "tools.toml", "--against", "new.toml")
    assert b"AM50" not in narrower.out


def test_against_compares_with_a_revision(amla: Amla, folder: Path) -> None:
    def git(*words: str) -> None:
        config = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *config, *words], cwd=folder, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("add", "tools.toml")
    git("commit", "-q", "-m", "first")
    (folder / "tools.toml").write_text(MANIFEST.replace("max_calls = 2", "max_calls = 20"))
    ended = amla(*CHECK, "--against", "main:tools.toml")
    assert (ended.status, ended.out[:20]) == (1, b"tools.toml:10:1: AM5")
    assert amla(*CHECK, "--against", "main:gone.toml").status == 2
    assert amla(*CHECK, "--against", "nowhere:tools.toml").status == 2


def test_against_compares_one_manifest(amla: Amla, folder: Path) -> None:
    (folder / "other.toml").write_text("")
    ended = amla(*CHECK, "--tools", "other.toml", "--against", "tools.toml")
    assert (ended.status, "--against compares one manifest" in ended.err) == (2, True)


# --run


@pytest.mark.parametrize(
    ("script", "place"),
    [
        ("const n = Number('500');\nawait pay({ amount: n / 5 });\nawait pay({ amount: n });\n", (3, 7)),
        ("const n = Number('500');\nawait pay({ amount: n }).catch(() => 0);\nawait pay({ amount: 7 });\n", (2, 7)),
        ("const n = Number('500');\nawait pay({ amount: n }).catch(() => 0);\nawait pay({ amount: n / 5 });\n", (2, 7)),
    ],
)
def test_a_call_that_is_denied_on_trial_has_a_place(
    amla: Amla, folder: Path, script: str, place: tuple[int, int]
) -> None:
    """Where the script ended for it, or where alone it can have been: one whose constants are allowed was it not."""
    (folder / "job.js").write_text(script)
    (found,) = report(amla, "--run", "job.js")["findings"]
    assert (found["code"], found["line"], found["column"]) == ("AM601", *place)


def test_a_call_on_trial_is_told_from_others_by_its_arguments(amla: Amla, folder: Path) -> None:
    (folder / "job.js").write_text(
        "const n = String(9);\nawait find({ name: 'a' });\nawait find({ name: 'b' });\n"
        "await find({ name: 'x' + n }).catch(() => 0);\nawait find({ name: `y${n}` }).catch(() => 0);\n"
    )
    denied = report(amla, "--run", "job.js")
    assert [(each["code"], each["line"], each["hint"]) for each in denied["findings"]] == [
        ("AM601", 4, ""),
        ("AM601", 5, ""),
    ]
    assert [site["line"] for site in denied["sites"] if site["verdict"].endswith("on trial")] == [2, 3, 4, 5]


def test_where_several_places_may_have_made_a_call_all_are_told(amla: Amla, folder: Path) -> None:
    (folder / "job.js").write_text(
        "const n = Number(500);\nawait pay({ amount: n }).catch(() => 0);\nawait pay({ amount: n / 5 });\n"
    )
    (found,) = report(amla, "--run", "job.js")["findings"]
    assert (found["line"], found["hint"]) == (2, "it was made in one of the lines 2, 3")


def test_a_secret_argument_tells_no_places_apart(amla: Amla, folder: Path) -> None:
    (folder / "tools.toml").write_text(MANIFEST.replace("mock = [", 'secret = ["name"]\nmock = ['))
    (folder / "job.js").write_text(
        "await find({ name: 'a' });\nawait find({ name: 'b' });\nawait find({ name: 'c' + Math.PI }).catch(() => 0);\n"
    )
    (found,) = report(amla, "--run", "job.js")["findings"]
    assert (found["line"], found["hint"]) == (1, "it was made in one of the lines 1, 2, 3")


def test_run_sees_the_calls_that_are_really_made(amla: Amla, folder: Path) -> None:
    (folder / "job.js").write_text(
        "for (const name of await find({ name: 'x' })) await pay({ amount: name.length * 101 });\n"
    )
    assert amla(*CHECK, "job.js").status == 0
    ended = amla(*CHECK, "--run", "job.js")
    assert ended.status == 1
    assert b"job.js:1:53: AM601 on trial: pay denied: amount 101 violates amount <= 100\n" in ended.out
    assert b"2 calls made on trial (1 allowed, 1 denied)" in ended.out


def test_each_script_has_budgets_of_its_own(amla: Amla, folder: Path) -> None:
    two = "await find({ name: 'x' });\nawait find({ name: 'y' });\n"
    (folder / "one.js").write_text(two)
    (folder / "two.js").write_text(two)
    (folder / "three.js").write_text(two + "await find({ name: 'z' });\n")
    assert amla(*CHECK, "--run", "one.js", "two.js").status == 0
    found = report(amla, "--run", "one.js", "three.js")["findings"]
    assert [(each["code"], each["file"]) for each in found] == [("AM601", "three.js")]


def test_a_script_that_never_ends_is_ended(amla: Amla, folder: Path) -> None:
    (folder / "endless.js").write_text("await pay({ amount: 5 });\nwhile (true) {}\n")
    ended = amla(*CHECK, "--run", "--timeout", "1s", "endless.js")
    assert ended.status == 1
    assert b"endless.js:1:1: AM602 on trial: timed out after 1 s (limit 'timeout')" in ended.out


def test_a_script_that_fails_on_trial_is_a_warning_at_its_line(amla: Amla, folder: Path) -> None:
    (folder / "job.ts").write_text("const x: number = 1;\nJSON.parse('{');\n")
    ended = amla(*CHECK, "--run", "job.ts")
    assert (ended.status, ended.out.startswith(b"job.ts:2:6: AM602 on trial: SyntaxError")) == (1, True)


def test_what_cannot_be_parsed_is_not_run(amla: Amla, folder: Path) -> None:
    ended = amla(*CHECK, "--run", "broken.js")
    assert (ended.status, b"AM602" in ended.out) == (2, False)


# The cache and the time


def check_with(folder: Path, cache: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A check whose cache is elsewhere, and the modules that it loaded."""
    code = (
        "import sys; from amla_cli.__main__ import main; status = main();"
        "print(sorted(sys.modules), file=sys.stderr); sys.exit(status)"
    )
    command = [sys.executable, "-c", code, *CHECK, *words]
    env = environment(AMLA_CACHE_DIR=str(cache))
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)


@pytest.fixture
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of caches in which the guest is compiled already, if it is anywhere."""
    from amla_sandbox._cache import cache_folder

    here = tmp_path_factory.mktemp("cache")
    here.chmod(0o700)
    compiled = cache_folder() / "precompiled"
    if compiled.is_dir():
        import shutil

        shutil.copytree(compiled, here / "precompiled")
        (here / "precompiled").chmod(0o700)
    return here


def test_what_did_not_change_is_not_looked_at_again(folder: Path, cache: Path) -> None:
    """The second time there is no guest and no engine, and the report is the same."""
    first = check_with(folder, cache, "good.js", "bad.js")
    second = check_with(folder, cache, "good.js", "bad.js")
    assert (first.stdout, first.returncode) == (second.stdout, second.returncode)
    assert "'wasmtime'" in first.stderr
    for costly in ("wasmtime", "asyncio", "rich", "httpx", "amla_sandbox._sandbox"):
        assert f"'{costly}'" not in second.stderr
    changed = (folder / "good.js").read_text().replace("5", "7000")
    (folder / "good.js").write_text(changed)
    assert "good.js:1:19: AM401" in check_with(folder, cache, "good.js", "bad.js").stdout


def test_other_tools_are_another_question(folder: Path, cache: Path) -> None:
    check_with(folder, cache, "bad.js")
    (folder / "tools.toml").write_text(MANIFEST.replace("tools.find", "tools.fnid"))
    assert "AM403" not in check_with(folder, cache, "bad.js").stdout
