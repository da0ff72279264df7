"""Whether a text is a whole line is said by the parsers that would run it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from amla_sandbox import Sandbox, Session

ROWS: dict[tuple[str, str], tuple[str, ...]] = {
    ("javascript", "complete"): (
        "", " ", "1", "a.b", "{a: 1}", "{a: 1};", "{}", "let x", "const x = 5;", "f()", "// hi", "/* a */", "`a`", "`${1}`",
        "async function f() { await 1 }", "import fs from 'fs'", "const t: number = 4", "interface A { x: number }",
        "enum X { A, B }", "class A { x = 1 }", "await 1", "for await (const x of y) {}", "'a\\\nb'", "if (a) b\nelse c",
        "x\n++\ny", "label: 1", "type T = string | number", "a?.b", "1n", "/re/g", "x = {\n  a: 1\n}", "async", "a\n  .b()",
    ),
    ("javascript", "incomplete"): (
        "{", "(", "[", "f(", "f(1,", "a.", "a ?", "a ? b :", "1 +", "x =", "let x =", "const x = {", "{a: 1", "{a:", "({",
        "({a", "({a:", "({a:1,", "[1,", "`abc", "`a${", "`a${1", "`a${1}", "`a${1} b", "/* c", "/* c\n", "if (x)", "if (x) {",
        "if (x) { y } else", "while (", "for (;;)", "for (const x of", "function f", "function f(", "function f()",
        "function f() {", "class A", "class A {", "class A { m()", "class A { m() {", "async () =>", "() =>", "() => {",
        "try {", "try { a }", "switch (a) {", "switch (a) { case 1:", "import {", "import fs from", "import", "export const x =",
        "'a\\", "'a\\\n", "new", "new A(", "await", "throw", "typeof", "!", "a &&", "do {", "do x; while", "const {a",
        "const {a} =", "let [a", "a[", "a[1", "var", "interface A {", "const t: number =", "function f(a: string", "enum X {",
        "enum X { A,", "type T =", "label:", "x => {", "f({ a: 1,\n b: [", "let f = (a: string) =>",
    ),
    ("javascript", "invalid"): (
        ")", "1)", "let 1", "x y", "foo bar baz", "'abc", "'abc\ndef'", "\"abc", "return 1", "break", "continue", "if x",
        "let a; let a", "1 = 2", "/abc", "}", "const x = ;", "x = = 2", "var 1a", "`a` b", "a => }", "{]",
    ),
    ("shell", "complete"): (
        "", "ls", "ls;", "a=1", "echo 'a'", "if a; then b; fi", "for i in 1 2; do echo; done", "f() { echo; }",
        "cat <<E\nx\nE", "# hi \\", "# it's", "ls | cat", "a && b", "case x in a) b;; esac", "x=$(ls)", "[[ a == b ]]",
        "((1+1))", "echo \\\\", "ls &", "{ a; }", "(a)", "echo a#b", "echo $'a\\'b'", "! a", "x=(1 2)", "echo \"a\nb\"",
        "cat <<'E' | sort\n'\nE",
    ),
    ("shell", "incomplete"): (
        "echo 'a", "echo \"a", "echo \"a $(", "echo $(", "echo $(ls", "echo `ls", "ls |", "ls &&", "ls ||", "ls \\", "ls \\\n",
        "ls | \\", "if", "if a", "if a; then", "if a; then b", "if a; then b; else", "for i", "for i in", "for i in 1 2",
        "for i in 1; do", "while a", "while a; do", "until a; do b", "case", "case x", "case x in", "case x in a)",
        "case x in a) b", "case x in a) b;;", "f() {", "f()", "function f", "function f {", "{ a", "{", "( a", "(", "cat <<E",
        "cat <<E\n", "cat <<E\nabc\n", "cat <<-E\n\tx", "cat <<'E'\n$x\n", "x=(1", "x=(1 2", "echo ${a", "echo ${a:-", "((1+",
        "[[ a", "[[ a ==", "[[ a == b", "echo $((1+", "a; if b; then", "select x in a; do", "ls |\n", "a &&\n", "cat <(ls",
    ),
    ("shell", "invalid"): (
        "fi", "done", ")", "ls )", "if a; fi", "ls | | cat", "&& a", "a;;", "case x in esac esac", "then", "x=(1))", "}",
        "[[ a b ]]", "f() )", "ls > ; cat", "| a",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Sandbox() as sandbox:
        yield Session(sandbox)


@pytest.mark.parametrize(("language", "wanted"), ROWS)
def test_completeness(session: Session, language: str, wanted: str) -> None:
    """Open strings, brackets, documents, operators and compound commands want more; what no more text mends is invalid."""
    found = {text: session.completeness(text, language) for text in ROWS[language, wanted]}
    assert {text: said for text, said in found.items() if said != wanted} == {}


def test_aliases_count(session: Session) -> None:
    """A line is read with the session's aliases and options."""
    assert session.completeness("begin echo", "shell") == "complete"
    session.run("alias begin='{ '", "shell")
    assert session.completeness("begin echo", "shell") == "incomplete"
    assert session.completeness("begin echo; }", "shell") == "complete"


def test_a_script_that_patches_errors_is_not_run(session: Session) -> None:
    """What is wrong with a text is found in a realm that no script has touched."""
    session.run("var ran = 0; Error.prepareStackTrace = () => { ran++ }", "javascript")
    assert session.completeness("1)", "javascript") == "invalid"
    assert session.run("ran", "javascript").shown == "0"
