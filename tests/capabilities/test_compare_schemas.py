"""R37: schemas, and manifests that are large or hostile."""

from __future__ import annotations

import time

import pytest
from compare_texts import RUN, TOOL, codes

from amla_capabilities import parse_manifest
from amla_capabilities.compare import widened

SCHEMAS = {
    "maximum": ('type = "integer", maximum = 10', 'type = "integer", maximum = 11', True),
    "lower maximum": ('type = "integer", maximum = 10', 'type = "integer", maximum = 9', False),
    "no maximum": ('type = "integer", maximum = 10', 'type = "integer"', True),
    "minimum": ('type = "integer", minimum = 1', 'type = "integer", minimum = 0', True),
    "integers": ('type = "number"', 'type = "integer"', False),
    "numbers": ('type = "integer"', 'type = "number"', True),
    "types": ('type = ["string", "null"]', 'type = "string"', False),
    "null": ('type = "string"', 'type = ["string", "null"]', True),
    "enum": ('enum = ["a", "b"]', 'enum = ["a"]', False),
    "const": ('enum = ["a", "b"]', 'const = "b"', False),
    "enum more": ('enum = ["a"]', 'enum = ["a", "b"]', True),
    "true is not 1": ("enum = [1]", "enum = [true]", True),
    "no enum": ('type = "string", enum = ["a"]', 'type = "string"', True),
    "an enum in place of a type": ('type = "string"', 'enum = ["a"]', False),
    "pattern": ('type = "string", pattern = "^a"', 'type = "string", pattern = "a"', True),
    "a pattern": ('type = "string"', 'type = "string", pattern = "a"', False),
    "default": ('type = "string", default = "a"', 'type = "string", default = "b"', True),
    "a default": ('type = "string"', 'type = "string", default = "b"', True),
    "optional": ('type = "string"', 'type = "string", optional = true', True),
    "required": ('type = "string", optional = true', 'type = "string"', False),
    "title": ('type = "string"', 'type = "string", title = "t", description = "d"', False),
    "items": (
        'type = "array", items = { type = "integer" }',
        'type = "array", items = { type = ["integer", "string"] }',
        True,
    ),
    "fewer items": (
        'type = "array", items = { type = ["integer", "string"] }',
        'type = "array", items = { type = "string" }, maxItems = 3',
        False,
    ),
    "a property": (
        'type = "object", properties = { a = { type = "string" } }, additionalProperties = false',
        'type = "object", properties = { a = { type = "string" }, b = {} }, additionalProperties = false',
        True,
    ),
    "a property that could have been any": (
        'type = "object"',
        'type = "object", properties = { b = { type = "string" } }',
        False,
    ),
    "a property called title": (
        'type = "object", properties = { title = { type = "string" } }, additionalProperties = false',
        'type = "object", properties = { title = { type = "integer" } }, additionalProperties = false',
        True,
    ),
    "any other property": (
        'type = "object", additionalProperties = false',
        'type = "object"',
        True,
    ),
    "minContains weakens contains": (
        'type = "array", contains = { const = 1 }',
        'type = "array", contains = { const = 1 }, minContains = 0',
        True,
    ),
    "patternProperties open what was closed": (
        'type = "object", additionalProperties = false',
        'type = "object", additionalProperties = false, patternProperties = { "^x" = {} }',
        True,
    ),
    "anyOf": ('anyOf = [{ type = "string" }]', 'anyOf = [{ type = "string" }, { type = "integer" }]', True),
    "a reference": (
        'type = "array", items = { "$ref" = "#/properties/b" }',
        'type = "array", items = { "$ref" = "#/properties/a" }',
        True,
    ),
    "a constant that is no schema": ("const = { title = 1 }", "const = { title = 2 }", True),
}


@pytest.mark.parametrize("row", SCHEMAS.values(), ids=SCHEMAS)
def test_schemas(row: tuple[str, str, bool]) -> None:
    old, new, is_wider = row
    text = '[tools.x]\npython = "m:f"\nparams.b = {{ type = "string" }}\nparams.a = {{ {} }}\n'
    assert bool(codes(text.format(old), text.format(new))) is is_wider


def test_a_parameter_more_and_one_less() -> None:
    more = RUN.replace('"{a}"', '"{a}", "{b}"') + 'params.b = { type = "string" }\n'
    assert set(codes(RUN, more)) == {"AM506", "AM507"}
    one = TOOL + 'params.a = { type = "string" }\n'
    assert codes(one + 'params.b = { type = "string", optional = true }\n', one) == []
    assert codes(one + 'params.b = { type = "string" }\n', one) == ["AM507"]  # which had to be given
    assert codes(one + 'params.b = { type = "string", default = "b" }\n', one) == ["AM507"]
    assert codes(one, one + 'params.b = { type = "string" }\n') == ["AM507"]


def test_a_great_many_grants_are_not_compared_for_hours() -> None:
    """Beyond what is worth comparing everything counts as wider."""
    tools = "".join(f'[tools.t{n}]\ncommand = ["x"]\n' for n in range(500))
    new = parse_manifest(tools + '[[capabilities]]\nmethod = "**"\nmax_calls = 1\n' * 250)
    assert "too many" in widened(parse_manifest(tools), new)[0].message


ONE = '[tools.x]\ncommand = ["x", "{a}"]\nparams.a = { type = "string" }\n'


def repeated(text: str, count: int, *, backwards: bool = False) -> str:
    return "".join(text.replace("#", str(n)) for n in (reversed(range(count)) if backwards else range(count)))


GRANT = '[[capabilities]]\nmethod = "x"\nmax_calls = 1\nconstraints = { a = '


STARRED = '[[capabilities]]\nmethod = "x*"\nmax_calls = #\nconstraints = { a = "#" }\n'


LOOSE = STARRED.replace('"#" }', '{ not = "#" } }')


TOOLS = repeated(ONE.replace("tools.x", "tools.x#"), 300)


HOSTILE = {
    "grants of one tool that overlap": (ONE + repeated(GRANT + "{ not = 'v#' } }\n", 1_000), ONE),
    "the same in another order": (
        ONE + repeated(GRANT + "{ not = 'v#' } }\n", 1_000),
        ONE + repeated(GRANT + "{ not = 'v#' } }\n", 1_000, backwards=True),
    ),
    "expressions": (
        ONE + repeated(GRANT + "{ matches = 'a{0,#}c' } }\n", 900),
        ONE + repeated(GRANT + "{ matches = 'b{0,#}c' } }\n", 900),
    ),
    "grants of many tools": (TOOLS + repeated(LOOSE, 300), TOOLS + repeated(LOOSE, 300, backwards=True)),
    "a long list": (
        ONE + "constraints = { a = [" + repeated('"v#",', 100_000) + "] }\n",
        ONE + "constraints = { a = [" + repeated('"w#",', 100_000) + "] }\n",
    ),
    "alternatives": (
        ONE + 'constraints = { "" = [' + repeated('{ any_of = [{ a = "startswith:a#" }, { a = "b#" }] },', 60) + "] }\n",
        ONE + 'constraints = { "" = [' + repeated('{ any_of = [{ a = "startswith:b#" }, { a = "c#" }] },', 60) + "] }\n",
    ),
    "patterns within a server": (
        '[mcp.m]\nurl = "https://a.example/"\n' + repeated('[[capabilities]]\nmethod = "m/a#*b*c*d*"\n', 500),
        '[mcp.m]\nurl = "https://a.example/"\n' + repeated('[[capabilities]]\nmethod = "m/*a*b#*c*d"\n', 500),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_manifests_are_compared_in_bounded_time(name: str) -> None:
    """What takes too long is not proved, and so it counts as wider."""
    new, old = map(parse_manifest, HOSTILE[name])
    before = time.process_time()
    assert widened(old, new)
    assert time.process_time() - before < 30


def test_what_did_not_change_takes_no_proof() -> None:
    """However many grants a tool has: those before a change are what they were; and the change is told by its place."""
    many = ONE + repeated(GRANT + "'v#' }\n", 2_000)
    assert widened(parse_manifest(many), parse_manifest(many)) == []
    before, at, after = many.rpartition("max_calls = 1")
    raised = f"{before}max_calls = 2{after}"
    assert at
    (finding,) = widened(parse_manifest(many), parse_manifest(raised))
    assert (finding.code, finding.path) in {
        ("AM502", "capabilities[1999].method"),
        ("AM503", "capabilities[1999].max_calls"),
    }


def test_grants_that_exclude_each_other_are_compared_with_what_they_were() -> None:
    """Also behind a change, and in another order: only those count that may take calls from one."""
    many = repeated(GRANT + "'v#' }\n", 2_000)
    old = parse_manifest(ONE + many)
    assert widened(old, parse_manifest(ONE + repeated(GRANT + "'v#' }\n", 2_000, backwards=True))) == []
    (finding,) = widened(old, parse_manifest(ONE + many.replace("'v1000'", "'w'")))
    assert (finding.code, finding.path) == ("AM502", "capabilities[1000].method")
    tools = parse_manifest(TOOLS + repeated(STARRED, 300))
    assert widened(tools, parse_manifest(TOOLS + repeated(STARRED, 300, backwards=True))) == []


def test_a_grant_before_others_that_takes_calls_from_them_counts() -> None:
    asks = '[[capabilities]]\nmethod = "x"\nconstraints = { a = "startswith:v" }\napproval = "ask"\n'
    many = "".join(f'[[capabilities]]\nmethod = "x"\nconstraints = {{ a = "v{n}" }}\n' for n in range(50))
    assert codes(ONE + asks + many, ONE + many) == ["AM504"] * 50
    assert codes(ONE + asks + many, ONE + many + asks) == ["AM504"] * 50
    assert codes(ONE + many, ONE + asks + many) == ["AM502"]  # what is none of the values, which nothing granted


def test_what_is_granted_of_many_tools_is_compared_in_proportion() -> None:
    each = ONE.replace("tools.x", "tools.x#") + 'max_calls = 2\n[[capabilities]]\nmethod = "x#"\n'
    manifest = parse_manifest(repeated(each, 2_000))
    before = time.process_time()
    assert widened(manifest, manifest) == []
    assert time.process_time() - before < 10


def test_many_tools_that_did_not_change_are_compared_with_themselves() -> None:
    tools = "".join(f'[tools."a/t{n}"]\ncommand = ["x"]\nmax_calls = {n + 1}\n' for n in range(300))
    grants = '[[capabilities]]\nmethod = "a/*"\nmax_calls = 9\n[[capabilities]]\nmethod = "**"\n'
    assert codes(tools + grants, tools + grants) == []
    assert codes(tools + grants, tools.replace("max_calls = 5\n", "max_calls = 6\n") + grants) == ["AM503"]
    assert codes(tools + grants, tools + grants.replace("= 9", "= 10")) == ["AM503"]


def test_tools_that_the_host_declares_are_compared() -> None:
    """A pattern over tools that no manifest declares."""
    text = '[[capabilities]]\nmethod = "a/*"\nconstraints = {{ x = "<={}" }}\n'
    old = parse_manifest(text.format(1), known_tools=["a/b"])
    assert [f.code for f in widened(old, parse_manifest(text.format(2), known_tools=["a/b"]))] == ["AM502"]
    assert widened(old, parse_manifest(text.format(1), known_tools=["a/b"])) == []
    assert [f.code for f in widened(old, parse_manifest(text.format(1), known_tools=["a/b", "a/c"]))] == ["AM502"]
