"""What Node cannot be asked, since a script here is neither module nor function: imports, values, refusals, tools' errors."""

from __future__ import annotations

from typing import Any

import pytest

from amla_sandbox import ConstraintSet, MethodCapability, Param, Sandbox, ToolDefinition

# --- modules --------------------

SLOPPY = "\ntry { undeclared = 1; return 'sloppy' } catch (error) { return error.message }"


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("", "sloppy"),
        ("const fs = await import('fs');", "sloppy"),
        ("import 'fs';", "undeclared is not defined"),
        ("import { join } from 'node:path';", "undeclared is not defined"),
        ("export const x = 1;", "undeclared is not defined"),
        ("const here = import.meta.url;", "undeclared is not defined"),
        ("import fs from 'fs'; const n: number = 1;", "undeclared is not defined"),
    ],
)
def test_what_is_a_module_is_strict(sandbox: Sandbox, head: str, said: str) -> None:
    assert sandbox.run(head + SLOPPY).return_value == said


META = """
const { dirname, filename, url } = import.meta;
const resolved = ['./a b.js', '../x', 'fs', 'node:path', 'file:///y.js'].map((name) => import.meta.resolve(name));
return [dirname, filename, url, resolved, import . meta === import.meta, Object.keys(import.meta)];
"""
SAID = [
    "/workspace",
    "/workspace/job one.mjs",
    "file:///workspace/job%20one.mjs",
    ["file:///workspace/a%20b.js", "file:///x", "node:fs", "node:path", "file:///y.js"],
    True,
    ["dirname", "filename", "resolve", "url"],
]


@pytest.mark.parametrize("head", ["", "import { join } from 'path';", "import fs from 'fs'; const n: number = 1;"])
def test_import_meta_of_a_script(sandbox: Sandbox, head: str) -> None:
    result = sandbox.run(head + META, filename="job one.mjs")
    assert (result.return_value, result.error) == (SAID, None)


def test_import_meta_of_a_module(sandbox: Sandbox) -> None:
    sandbox.fs.write("/workspace/lib/m.js", "export const meta = import.meta;")
    value = sandbox.run(
        "import { meta } from './lib/m.js';"
        "return [meta.dirname, meta.filename, meta.url, meta.resolve('./n.js'), import.meta.dirname]"
    ).return_value
    where = "/workspace/lib"
    assert value == [where, f"{where}/m.js", f"file://{where}/m.js", f"file://{where}/n.js", "/workspace"]


@pytest.mark.parametrize(
    ("script", "place", "message"),
    [
        ("import fs from 'fs';\nlet a = ;", (2, 9), "Unexpected token ';'"),
        ("import fs from 'fs';\nlet a = 1;\nlet a = 2;", (3, 7), "Identifier 'a' has already been declared"),
        ("import fs from 'fs';\nif (x {", (2, 7), "Unexpected token '{'"),
        ("import fs from 'fs';\nfunction f() {", (2, 15), "Unexpected end of input"),
        ("import fs from 'fs';\nwith (fs) {}", (2, 1), "'with' in strict mode"),
    ],
)
def test_faults_of_syntax_are_placed_behind_imports(
    sandbox: Sandbox, script: str, place: tuple[int, int], message: str
) -> None:
    failure = sandbox.run(script).failure
    assert failure is not None
    assert (failure.name, (failure.line, failure.column), failure.message) == ("SyntaxError", place, message)


def test_parameter_properties_are_the_first_fields(sandbox: Sandbox) -> None:
    """As in what TypeScript's own compiler and esbuild make of the class."""
    script = """
        class Account { private balance = 0; #pin = 1; constructor(public owner: string, readonly limit = 5) {} note?: string }
        class Savings extends Account { rate = 2; constructor(owner: string, protected bank: string) { super(owner); } }
        console.log(Object.keys(new Account('ann')).join(), Object.keys(new Savings('bo', 'x')).join());
    """
    result = sandbox.run(script, filename="job.ts")
    assert (result.stdout, result.error) == ("owner,limit,balance,note owner,limit,balance,note,bank,rate\n", None)


@pytest.mark.parametrize("filename", ["job.js", "job.ts"])
@pytest.mark.parametrize(
    ("script", "line", "said"),
    [
        ("const a = 1\n@sealed\nclass A {}", 2, "decorators are not supported; call the function"),
        ("class A {\n  @log() m(x: number) {}\n}", 2, "decorators are not supported; call the function"),
    ],
)
def test_what_typescript_has_and_we_have_not(
    sandbox: Sandbox, filename: str, script: str, line: int, said: str
) -> None:
    failure = sandbox.run(script, filename=filename).failure
    assert failure is not None
    assert (failure.name, failure.line) == ("SyntaxError", line)
    assert said in failure.message


_NAMESPACES = """
namespace Geometry {
  export interface Point { x: number; y: number }
  const ORIGIN: Point = { x: 0, y: 0 };
  export const UNIT = 1, DOUBLE: number = UNIT * 2;
  export const { floor: down, ceil } = Math;
  export let asked = 0;
  export function distance(a: Point, b: Point = ORIGIN): number { asked++; return Math.hypot(a.x - b.x, a.y - b.y); }
  export abstract class Shape { constructor(public readonly name: string) {} abstract area(): number }
  export class Square extends Shape { constructor(private side: number) { super('square'); } area() { return this.side ** 2; } }
  export const enum Kind { Small = 1, Big }
  export namespace Inner { export const depth = DOUBLE; }
  export const map = new Map<string, number>([['a', 1]]), last = `t${map.size}`;
}
namespace Geometry { export const more = UNIT + DOUBLE; }
export namespace A.B.C { export const q = 3; }
class Temperature { constructor(public degrees: number) {} }
namespace Temperature { export const ZERO = new Temperature(0); }
declare namespace Ambient { const x: number }
namespace OnlyTypes { export interface X {} export type Y = string }
const at: Geometry.Point = { x: 3, y: 4 };
const distance = Geometry.distance(at);
Geometry.asked += 10;
Geometry.distance(at);
return [
  distance, Geometry.asked, Geometry.DOUBLE, Geometry.down(1.5), new Geometry.Square(3).area(), Geometry.Kind.Big,
  Geometry.Inner.depth, Geometry.last, Geometry.more, A.B.C.q, Temperature.ZERO.degrees,
];
"""


@pytest.mark.parametrize("filename", ["job.js", "job.ts"])
def test_namespaces_are_objects(sandbox: Sandbox, filename: str) -> None:
    """With what they export, also in several blocks, within others, and added to a class."""
    result = sandbox.run(_NAMESPACES, filename=filename)
    assert result.return_value == [5, 12, 2, 1, 9, 2, 2, "t1", 3, 3, 0], result.error


@pytest.mark.parametrize(
    ("script", "place"),
    [
        ("namespace A {\n  export const x = 1;\n  throw new Error('no');\n}", (3, 13)),
        ("namespace A { export const x = ; }", (1, 32)),
        ("namespace A {\n  export const x = 1;\n", (3, 1)),
    ],
)
def test_faults_within_namespaces_are_placed(sandbox: Sandbox, script: str, place: tuple[int, int]) -> None:
    failure = sandbox.run(script, filename="job.ts").failure
    assert failure is not None
    assert (failure.line, failure.column) == place, failure.message


def test_an_at_sign_in_a_text_is_no_decorator(sandbox: Sandbox) -> None:
    script = "const css: string = `\n@media (print) {}\nnamespaces`\nreturn css.length"
    assert sandbox.run(script, filename="job.ts").return_value == 29


# --- values --------------------

CIRCULAR = "const a = { n: 1 }; a.self = a; "


@pytest.mark.parametrize(
    ("script", "printed", "value"),
    [
        ("return 10n", "10\n", 10),
        ("return -(2n ** 70n)", f"{-(2**70)}\n", -(2**70)),
        ("20n", "", 20),
        ("return { n: 10n }", "{ n: 10n }\n", None),
        ("({ n: 10n })", "", None),
        (f"{CIRCULAR}return a", "<ref *1> { n: 1, self: [Circular *1] }\n", None),
        (f"{CIRCULAR}a", "", None),
        ("return [1n]", "[ 1n ]\n", None),
        ("return Symbol('s')", "Symbol(s)\n", None),
        ("return null", "null\n", None),
    ],
)
def test_values_that_are_no_json(sandbox: Sandbox, script: str, printed: str, value: Any) -> None:
    result = sandbox.run(script)
    assert (result.stdout, result.return_value, result.error) == (printed, value, None)


def test_a_bigint_of_any_length_can_be_returned(sandbox: Sandbox) -> None:
    result = sandbox.run("return 10n ** 6000n")
    assert (result.stdout, result.error) == (f"1{'0' * 6000}\n", None)


def test_what_to_json_throws_is_an_error_of_the_script(sandbox: Sandbox) -> None:
    failure = sandbox.run("return { toJSON() { throw new RangeError('mine') } }").failure
    assert failure is not None
    assert (failure.name, failure.message) == ("RangeError", "mine")


# --- tools' errors --------------------

CAUGHT = """
const classes = { ToolArgumentError, ToolDeniedError, ToolFailedError, ToolLimitError, ToolSchemaError, UnknownToolError };
const seen = [];
for (const call of [() => tools.call('nothing', {}), () => work(5), () => work({ n: 'x' }), () => work({ n: 2 }), () => work({ n: 1 })])
  try {
    await call();
  } catch (error) {
    const [name] = Object.entries(classes).find(([, each]) => error instanceof each);
    seen.push([name, error.name, error instanceof ToolError, error instanceof Error]);
  }
return seen;
"""


def test_the_classes_of_tools_errors_are_globals() -> None:
    def handler(arguments: Any) -> None:
        raise ValueError("no")

    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    work = ToolDefinition("work", parameters=schema, handler=handler)
    allowed = MethodCapability("work", constraints=ConstraintSet([Param("n") <= 1]))
    with Sandbox(tools=[work], capabilities=[allowed]) as sandbox:
        seen = sandbox.run(CAUGHT).return_value
    names = ["UnknownToolError", "ToolArgumentError", "ToolSchemaError", "ToolDeniedError", "ToolFailedError"]
    assert seen == [[name, name, True, True] for name in names]


# --- the time zone of the run --------------------


def test_date_follows_the_time_zone_of_the_environment(sandbox: Sandbox) -> None:
    script = "return [String(new Date(0)), new Date(2024, 6, 1).getTimezoneOffset()]"
    assert sandbox.run(script).return_value == ["Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)", 0]
    berlin = sandbox.run(script, env={"TZ": "Europe/Berlin"}).return_value
    assert berlin == ["Thu Jan 01 1970 01:00:00 GMT+0100 (Central European Standard Time)", -120]
    assert sandbox.run(f"process.env.TZ = 'Asia/Tokyo'; {script}").return_value[1] == -540
    assert sandbox.run(script).return_value[1] == 0


def test_date_follows_the_time_zone_of_a_program_in_the_shell(sandbox: Sandbox) -> None:
    program = "js -e 'console.log(new Date(0).getHours())'"
    result = sandbox.run(f"{program}; TZ=Asia/Tokyo {program}; {program}", language="shell")
    assert (result.stdout, result.stderr) == ("0\n9\n0\n", "")
