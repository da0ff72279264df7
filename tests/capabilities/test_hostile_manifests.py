"""Manifests written to keep a checker busy: what they cost grows with their size, or they are refused by name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from amla_capabilities import ManifestError, ToolNames, load_manifest, parse_manifest
from amla_capabilities._algebra._algebra import Effort, unsatisfiable
from amla_capabilities._constraints._param import Param
from amla_capabilities._errors import UndecidableError
from amla_capabilities._suggest import nearest

SECONDS = 20  # of computing; each of these manifests took minutes when checks were quadratic
TOOL = '[tools.x]\ncommand = ["echo"]\n'


def each(count: int, line: str) -> str:
    return "".join(line.replace("#", str(n)) for n in range(count))


HOSTILE: dict[str, Callable[[], str]] = {
    "a key of many parts": lambda: "x" + ".a" * 10_000 + " = 1\n",
    "a header of many parts": lambda: "[tools.x.params" + ".a" * 10_000 + "]\n",
    "many headers of many parts": lambda: "".join(f"[{'.'.join('a' * n)}]\n" for n in range(1, 1500)),
    "deep arrays": lambda: "x = " + "[" * 100_000,
    "deep tables": lambda: TOOL + "params.a = " + "{items = " * 200 + "{}" + "}" * 200,
    "many faulty tools": lambda: each(10_000, '[tools.x#]\ncommand = ["echo"]\nallow = 3\n'),
    "many tools that merge": lambda: each(3_000, TOOL.replace("x", '"a-#"') + TOOL.replace("x", '"a_#"')),
    "many unknown keys": lambda: each(10_000, "k# = 1\n"),
    "capabilities of unknown tools": lambda: TOOL + each(10_000, '[[capabilities]]\nmethod = "y#"\n'),
    "patterns times tools": lambda: each(5_000, '[tools.x#]\ncommand = ["x"]\n[[capabilities]]\nmethod = "x*#"\n'),
    "tests of unknown tools": lambda: each(5_000, '[tools.x#]\ncommand = ["x"]\n[[tests]]\ncall = "y#"\nexpect="deny"\n'),
    "places nobody declared": lambda: (
        '[tools.x]\ncommand = ["echo", ' + each(10_000, '"{q#}", ') + "]\n[tools.x.params]\n" + each(10_000, "p# = {}\n")
    ),
    "constraints on one tool": lambda: TOOL + "[tools.x.constraints]\n" + each(10_000, "b# = 1\n"),
    "faults on one line": lambda: "include = [" + "1," * 200_000 + "]",
    "an index out of reach": lambda: TOOL + 'constraints = { "a[999999999]" = 1 }',
    "quotes that do not end": lambda: 'x = """' + '\\"""' * 500_000,
    "many mounts": lambda: TOOL + each(40_000, '[[mounts]]\nhost = "d#"\nguest = "/workspace/d#"\n'),
    "a key without end": lambda: "a" * 3_900_000,
}  # fmt: skip
SOUND: dict[str, Callable[[], str]] = {
    "many tools": lambda: each(10_000, '[tools.x#]\ncommand = ["echo"]\nallow = true\n'),
    "many capabilities": lambda: TOOL + each(10_000, '[[capabilities]]\nmethod = "x"\n'),
    "capabilities for tools": lambda: each(5_000, '[tools.x#]\ncommand = ["x"]\n[[capabilities]]\nmethod = "x#"\n'),
    "names of many spellings": lambda: each(4_000, f'[tools."{"a-b/" * 11}#"]\ncommand = ["x"]\n'),
    "dots in a string": lambda: TOOL + 'description = "' + "a." * 1_000_000 + '"',
}


def spent(action: Callable[[], object]) -> float:
    before = time.process_time()
    action()
    return time.process_time() - before


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_manifest_is_refused_soon_and_briefly(name: str) -> None:
    text = HOSTILE[name]()
    caught: list[ManifestError] = []

    def refused() -> None:
        try:
            parse_manifest(text)
        except ManifestError as error:
            caught.append(error)

    assert spent(refused) < SECONDS
    assert len(caught[0].faults) <= 101
    assert len(str(caught[0])) < 100_000


@pytest.mark.parametrize("name", SOUND)
def test_a_big_sound_manifest_is_read_in_proportion(name: str) -> None:
    text = SOUND[name]()
    assert spent(lambda: parse_manifest(text).policy().grants("x")) < SECONDS


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("x" + ".a" * 64, 1, 1), ("# fine\n[" + "a." * 64 + "b]", 2, 2), ("x = " + "[" * 65 + "]" * 65, 1, 69)],
)
def test_too_much_nesting_is_a_fault_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(ManifestError) as caught:
        parse_manifest(text)
    (fault,) = caught.value.faults
    assert (fault.message, fault.line, fault.column) == ("is nested too deeply", line, column)


@pytest.mark.parametrize("text", ["# " + "a." * 100, 'd = "' + "a." * 100 + '"', "d = '''\n" + "[" * 100 + "\n'''"])
def test_what_only_looks_nested_is_none(text: str) -> None:
    with pytest.raises(ManifestError, match="unknown key 'd'"):
        parse_manifest(text if "d" in text else text + "\nd = 1")


def test_the_first_hundred_faults_are_shown_in_order() -> None:
    with pytest.raises(ManifestError) as caught:
        parse_manifest(each(150, "k# = 1\n"))
    faults = caught.value.faults
    assert [fault.line for fault in faults[:-1]] == list(range(1, 101))
    assert faults[-1].message == "more faults follow; these are the first 100"


def test_a_long_line_is_shown_around_the_fault() -> None:
    with pytest.raises(ManifestError) as caught:
        parse_manifest("include = [" + '"a.toml", ' * 50 + "7, " + '"a.toml", ' * 50 + "]")
    (fault,) = [fault for fault in caught.value.faults if "number 7" in fault.message]
    assert len(fault.source) < 170
    assert fault.source[fault.caret] == "7"
    assert fault.source.startswith("…")
    assert fault.source.endswith("…")


def test_r2_includes_are_bounded_in_number_and_size(tmp_path: Path) -> None:
    for n in range(8):
        (tmp_path / f"{n}.toml").write_text("include = [" + f'"{n + 1}.toml",' * 10 + "]")
    with pytest.raises(ManifestError, match="at most 100 files"):
        load_manifest(tmp_path / "0.toml")
    (tmp_path / "big.toml").write_text("#" * 3_000_000)
    (tmp_path / "0.toml").write_text('include = ["big.toml", "big.toml"]')
    with pytest.raises(ManifestError, match="4,000,000 characters"):
        load_manifest(tmp_path / "0.toml")


def test_a_file_without_end_is_refused() -> None:
    with pytest.raises(ManifestError, match="not a regular file"):
        load_manifest("/dev/zero")


def test_schemas_that_lead_to_themselves_many_times_are_searched_in_part() -> None:
    text = (
        '[tools.x]\ncommand = ["echo", "{a}"]\nparams.a = { anyOf = ['
        + '{ "$ref" = "#/properties/a" }, ' * 50
        + ']}\nconstraints = { "a.b.c" = 1 }'
    )
    assert spent(lambda: parse_manifest(text)) < SECONDS


def doubling(count: int) -> str:
    """Schemas that each refer twice to the next."""
    link = '{ "$ref" = "#/properties/a/$defs/d%d" }'
    each = "".join(f"d{n} = {{ anyOf = [{link % (n + 1)}, {link % (n + 1)}] }}\n" for n in range(count))
    return f"[tools.x.params.a]\n{link[2:-2] % 0}\n[tools.x.params.a.'$defs']\n{each}d{count} = {{ type = 'string' }}\n"


@pytest.mark.parametrize("count", [17, 40, 3000])
def test_r21_schemas_that_take_exponential_time_are_refused(count: int) -> None:
    """Forty of them would keep a validator busy for hours, and nothing could interrupt it."""
    text = '[tools.x]\ncommand = ["echo", "{a}"]\n' + doubling(count)
    with pytest.raises(ManifestError, match="so many schemas"):
        parse_manifest(text)
    returns = text.replace("params.a", "returns").replace("#/properties/a/", "#/").replace(', "{a}"', "")
    with pytest.raises(ManifestError, match="so many schemas"):
        parse_manifest(returns)


def test_r21_schemas_that_share_parts_or_lead_around_are_read() -> None:
    parse_manifest('[tools.x]\ncommand = ["echo", "{a}"]\n' + doubling(10))
    tree = '{ type = "object", properties = { l = { "$ref" = "#/properties/a" }, r = { "$ref" = "#/properties/a" } } }'
    parse_manifest(f'[tools.x]\ncommand = ["echo", "{{a}}"]\nparams.a = {tree}\n')


def test_questions_with_an_effort_end_undecided() -> None:
    impossible = [Param(name) > 1 for name in "abcdefgh"] + [Param("a") < 1]
    assert unsatisfiable(impossible)
    with pytest.raises(UndecidableError, match="too many constraints"):
        unsatisfiable(impossible, Effort(100))


def test_suggestions_look_at_a_bounded_number_of_words() -> None:
    looked: list[str] = []

    def words() -> Iterable[str]:
        for n in range(100_000):
            looked.append(f"word{n:06}")
            yield looked[-1]

    assert nearest("word000007", words()) == "word000007"
    assert len(looked) < 1000
    assert nearest("x" * 101, ["x" * 101]) is None


def test_r19_only_the_written_and_the_javascript_spelling_of_a_segment_mean_it() -> None:
    names = ToolNames(["a-b/c-d", "e_f"])
    assert [names.resolve(text) for text in ("a-b/c-d", "a_b/c-d", "a-b/c_d", "a_b.c_d")] == ["a-b/c-d"] * 4
    assert [names.resolve(text) for text in ("e-f", "a+b/c-d", "a-b")] == [None] * 3
    assert "e_f" in names
    assert "e-f" not in names
    assert "a//b" not in names
