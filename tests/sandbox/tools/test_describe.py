"""How tools are described to a model."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any, Literal

import pytest

from amla_sandbox.tools import (
    ToolDefinition,
    declarations,
    format_tool_descriptions_js,
    signature_of,
    tool_from_function,
)


def charge(
    amount: float, currency: Literal["USD", "EUR"] = "USD", meta: dict[str, int] | None = None
) -> dict[str, Any]:
    """Charge a card.

    Args:
        amount: How much.
    """
    return {"amount": amount, "currency": currency, "meta": meta}


def search(query: str) -> list[str]:
    """Search for information."""
    return [query]


def test_markdown_for_a_prompt() -> None:
    assert format_tool_descriptions_js([search, tool_from_function(charge, name="stripe/charges/create")]) == (
        "## Available Functions\n"
        "\n"
        "### `search({query: string})`\n"
        "Search for information.\n"
        "\n"
        "### `stripe.charges.create({amount: number, "
        'currency?: "USD" | "EUR", meta?: Record<string, number> | null})`\n'
        "Charge a card.\n"
        "\n"
        "- `amount`: How much.\n"
    )


def test_a_typescript_declaration() -> None:
    assert declarations([tool_from_function(charge)]) == (
        "/** Charge a card. */\n"
        "declare function charge(args: {\n"
        "  /** How much. */\n"
        "  amount: number;\n"
        '  /** Default: "USD" */\n'
        '  currency?: "USD" | "EUR";\n'
        "  meta?: Record<string, number> | null;\n"
        "}): Promise<Record<string, unknown>>;\n"
    )


TYPES: list[tuple[Any, str]] = [
    ({}, "unknown"),
    ({"type": "integer"}, "number"),
    ({"type": ["string", "null"]}, "string | null"),
    ({"enum": ["a", 1, None]}, '"a" | 1 | null'),
    ({"const": "x"}, '"x"'),
    ({"type": "array", "items": {"type": ["string", "null"]}}, "(string | null)[]"),
    ({"type": "array"}, "unknown[]"),
    ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]}, "[string, number]"),
    (
        {
            "anyOf": [
                {"type": "string"},
                {"type": "object", "properties": {"a b": {}}, "additionalProperties": False},
            ]
        },
        'string | { "a b"?: unknown }',
    ),
    (
        {"allOf": [{"properties": {"a": {"type": "string"}}, "additionalProperties": False}, {"type": "object"}]},
        "{ a?: string } & Record<string, unknown>",
    ),
    ({"$ref": "#/$defs/N"}, "{ next?: unknown }"),
]


@pytest.mark.parametrize(("schema", "written"), TYPES)
def test_schemas_as_types(schema: Any, written: str) -> None:
    defs: dict[str, Any] = {"N": {"type": "object", "properties": {"next": {}}, "additionalProperties": False}}
    tool = ToolDefinition("t", "", {"properties": {"x": schema}, "required": ["x"], "$defs": defs})
    assert signature_of(tool) == f"t({{x: {written}}})"


def test_a_recursive_type_ends() -> None:
    tool = ToolDefinition(
        "t",
        "",
        {"properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"properties": {"n": {"$ref": "#/$defs/N"}}}}},
    )
    assert len(signature_of(tool)) < 2_000


def test_a_tool_and_a_folder_may_share_a_name() -> None:
    text = declarations(
        [
            tool_from_function(search, name="a/b"),
            tool_from_function(search, name="a"),
            tool_from_function(search, name="a/my-c"),
        ]
    )
    assert "declare const a: {\n  /** Search for information. */\n  (args: {" in text
    assert "  my_c(args: {" in text


def test_a_reserved_word_is_reached_through_call() -> None:
    assert '// tools.call("delete", args): Promise<string[]>' in declarations(
        [tool_from_function(search, name="delete")]
    )


@pytest.mark.skipif(shutil.which("npx") is None, reason="checks with the TypeScript compiler of the guest's sources")
def test_declarations_are_typescript(tmp_path: Path) -> None:
    compiler = Path(__file__).parents[3] / "runtime" / "guest" / "ts" / "node_modules" / ".bin" / "tsc"
    if not compiler.exists():
        pytest.skip("the guest's TypeScript compiler is not installed")
    tools = [
        tool_from_function(charge, name=name)
        for name in ("charge", "stripe/charges/create", "stripe/charges", "delete", "a/delete")
    ]
    tools.append(
        ToolDefinition("odd", "*/ evil(); /*", {"properties": {"a b": {"description": "*/ evil();"}, "\u202ec": {}}})
    )
    (tmp_path / "tools.d.ts").write_text(declarations(tools))
    checked = subprocess.run(
        [compiler, "--noEmit", "--strict", "tools.d.ts"], cwd=tmp_path, capture_output=True, text=True
    )
    assert checked.stdout == ""
