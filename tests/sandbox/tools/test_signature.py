"""Python callables as tools: what their schemas say, what reaches them, what is refused."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional, TypedDict, Unpack
from uuid import UUID

import jsonschema_rs
import pytest
from pydantic import AnyUrl, BaseModel, ConfigDict, Field, PositiveInt

from amla_sandbox.tools import ArgumentError, ToolDefinition, ToolDefinitionError, tool_from_function

msgspec = pytest.importorskip("msgspec")


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Address:
    """Where someone lives.

    More about it.
    """

    street: str
    zip: str = "00000"
    tags: list[str] = field(default_factory=list[str])


@dataclass
class Tree:
    value: int
    children: list[Tree] = field(default_factory=list["Tree"])


class Movie(TypedDict):
    title: str
    year: NotRequired[int]


class Point(NamedTuple):
    x: int
    y: int = 0


class Customer(BaseModel):
    name: str = Field(min_length=1, description="full name")
    age: int = 18
    friends: list[Customer] = []


class Trimmed(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)
    text: str


class Order(msgspec.Struct):  # type: ignore[misc,name-defined]
    item: str
    count: int = 1


def taking(annotation: Any, **options: Any) -> ToolDefinition:
    """A tool with one parameter of that type, which returns what reached it."""

    def tool(value: Any) -> Any:
        return value

    tool.__annotations__ = {"value": annotation}
    return tool_from_function(tool, **options)


def reaching(annotation: Any, given: Any) -> Any:
    tool = taking(annotation)
    assert tool.handler is not None
    return tool.handler(tool.bind(json.dumps({"value": given}).encode()))


UTC = timezone.utc  # noqa: UP017

CONVERSIONS = [
    (str, "x", "x"),
    (int, 3, 3),
    (float, 3, 3),
    (float, 2.5, 2.5),
    (bool, True, True),
    (None, None, None),
    (Any, {"a": [1]}, {"a": [1]}),
    (object, [1], [1]),
    (Optional[int], None, None),  # noqa: UP045
    (int | str, "5", "5"),
    (int | str, 5, 5),
    (Literal["a", 1, True, None], True, True),
    (Literal["a", 1, True, None], 1, 1),
    (Literal[Colour.RED], "red", Colour.RED),
    (Colour, "blue", Colour.BLUE),
    (Level, 2, Level.HIGH),
    (Colour | None, "red", Colour.RED),
    (list, [1, "a"], [1, "a"]),
    (list[int], [1, 2], [1, 2]),
    (Sequence[Colour], ["red"], [Colour.RED]),
    (set[int], [3, 1], {1, 3}),
    (frozenset[str], ["b", "a"], frozenset({"a", "b"})),
    (set[Colour], ["red", "blue"], {Colour.RED, Colour.BLUE}),
    (tuple[int, str], [1, "a"], (1, "a")),
    (tuple[int, ...], [1, 2, 3], (1, 2, 3)),
    (dict, {"a": 1}, {"a": 1}),
    (dict[str, int], {"a": 1}, {"a": 1}),
    (dict[int, float], {"1": 0.5, "-3": 2}, {1: 0.5, -3: 2}),
    (Mapping[Colour, int], {"red": 1}, {Colour.RED: 1}),
    (Movie, {"title": "Up"}, {"title": "Up"}),
    (Point, [1, 2], Point(1, 2)),
    (Address, {"street": "a"}, Address("a")),
    (list[Address], [{"street": "a", "zip": "1"}], [Address("a", "1")]),
    (Tree, {"value": 1, "children": [{"value": 2}]}, Tree(1, [Tree(2)])),
    (Customer, {"name": "Ann", "friends": [{"name": "Bo"}]}, Customer(name="Ann", friends=[Customer(name="Bo")])),
    (Order, {"item": "x"}, Order("x")),
    (datetime, "2024-01-31T09:30:00Z", datetime(2024, 1, 31, 9, 30, tzinfo=UTC)),
    (datetime, "2024-01-31T09:30:00.500Z", datetime(2024, 1, 31, 9, 30, 0, 500_000, tzinfo=UTC)),
    (datetime, "2024-01-31T09:30:00+02:00", datetime(2024, 1, 31, 9, 30, tzinfo=timezone(timedelta(hours=2)))),
    (date, "2024-01-31", date(2024, 1, 31)),
    (timedelta, 90, timedelta(seconds=90)),
    (UUID, "123E4567-E89B-12D3-A456-426614174000", UUID("123e4567-e89b-12d3-a456-426614174000")),
    (Decimal, "12.50", Decimal("12.50")),
    (Decimal, "0.00000001", Decimal("0.00000001")),
    (Path, "a/b.txt", Path("a/b.txt")),
    (PurePosixPath, "/x", PurePosixPath("/x")),
    (bytes, "aGk=", b"hi"),
    (Annotated[int, Field(ge=1)], 1, 1),
]


@pytest.mark.parametrize(("annotation", "given", "expected"), CONVERSIONS)
def test_arguments_reach_the_function_as_annotated(annotation: Any, given: Any, expected: Any) -> None:
    reached = reaching(annotation, given)
    assert reached == expected
    assert type(reached) is type(expected)


@pytest.mark.parametrize("annotation", [annotation for annotation, _, _ in CONVERSIONS])
def test_every_schema_is_valid_and_says_what_is_expected(annotation: Any) -> None:
    jsonschema_rs.meta.validate(taking(annotation).schema)


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (str | None, {"type": ["string", "null"]}),
        (Colour, {"type": "string", "enum": ["red", "blue"]}),
        (Level, {"enum": [1, 2]}),
        (Literal["a", 1], {"enum": ["a", 1]}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (set[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
        (Annotated[str, "what to find"], {"type": "string", "description": "what to find"}),
        (Annotated[list[str], Field(max_length=3)], {"type": "array", "items": {"type": "string"}, "maxItems": 3}),
        (
            Address,
            {
                "type": "object",
                "properties": {
                    "street": {"type": "string"},
                    "zip": {"type": "string", "default": "00000"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["street"],
                "additionalProperties": False,
                "description": "Where someone lives.",
            },
        ),
    ],
)
def test_annotations_become_schemas(annotation: Any, schema: Any) -> None:
    assert taking(annotation).schema["properties"]["value"] == schema


@pytest.mark.parametrize(
    ("annotation", "given", "why"),
    [
        (int, "5", "must be an integer"),
        (str, 5, "must be a string"),
        (bool, 1, "must be true or false"),
        (Literal[1], True, "must be 1"),
        (Colour, "green", 'one of "red", "blue"'),
        (set[int], [1, 1], "uniqueItems"),
        (tuple[int, str], [1], "at least 2 items"),
        (dict[int, int], {"01": 1}, 'key "01"'),
        (Movie, {"title": "Up", "star": 1}, "unknown parameter value.star"),
        (Address, {"street": "a", "zp": "1"}, "did you mean zip"),
        (Customer, {"name": ""}, "at least 1 characters"),
        (Decimal, "1e3", "must be a decimal"),
        (bytes, "a", "must be a byte"),
        (datetime, "2024-01-31", "must be a date-time"),
    ],
)
def test_what_does_not_fit_the_annotation_is_refused(annotation: Any, given: Any, why: str) -> None:
    with pytest.raises(ArgumentError, match=why):
        reaching(annotation, given)


@pytest.mark.parametrize(
    ("annotation", "given"),
    [
        (datetime, "2024-01-31T09:30:00.1234567Z"),  # microseconds hold six digits
        (Path, "a/./b"),
        (Path, "a//b"),
        (Path, "a/"),
        (Trimmed, {"text": " x "}),
        (Customer, {"name": "Ann", "extra": 1}),
        (Order, {"item": "x", "extra": 1}),
        (list[Path], ["ok", "./no"]),
    ],
)
def test_a_conversion_that_changes_the_value_is_refused(annotation: Any, given: Any) -> None:
    """R20: policy judged the text; the function must not get something else."""
    with pytest.raises(ArgumentError, match="tool: value is refused"):
        reaching(annotation, given)


def example(city: str, days: int = 3, colour: Colour = Colour.RED, near: Address | None = None) -> dict[str, Any]:
    """Forecast the weather.

    Over some days.

    Args:
        city: Name of the city,
            in English.
        days (int): How many.

    Returns:
        The forecast.
    """
    return {"city": city, "days": days, "colour": colour, "near": near}


def test_signature_and_docstring_give_the_definition() -> None:
    tool = tool_from_function(example)
    assert tool.name == "example"
    assert tool.description == "Forecast the weather.\n\nOver some days."
    properties = tool.schema["properties"]
    assert properties["city"] == {"type": "string", "description": "Name of the city, in English."}
    assert properties["days"] == {"type": "integer", "description": "How many.", "default": 3}
    assert properties["colour"]["default"] == "red"
    assert tool.schema["required"] == ["city"]
    assert tool.returns == {"type": "object", "additionalProperties": True}
    assert dict(tool.bind(b'{"city": "x"}')) == {"city": "x", "days": 3, "colour": "red"}
    assert tool.handler is not None
    assert tool.handler(tool.bind(b'{"city": "x"}'))["colour"] is Colour.RED


def test_options_override_what_was_read() -> None:
    tool = tool_from_function(example, name="weather/forecast", description="d", effect="read", secret=["city"])
    assert (tool.path, tool.description, tool.effect, set(tool.secret)) == ("weather/forecast", "d", "read", {"city"})


def test_keyword_arguments_alone_take_any_object() -> None:
    """R22: the schema says that anything goes, and the function gets it as it is."""

    def echo(**kwargs: Any) -> Any:
        return kwargs

    tool = tool_from_function(echo)
    assert tool.schema == {"type": "object", "properties": {}, "additionalProperties": True}
    assert tool.handler is not None
    assert tool.handler(tool.bind(b'{"a": [1], "self": {"b": null}}')) == {"a": [1], "self": {"b": None}}


def test_typed_keyword_arguments() -> None:
    def numbers(**kwargs: int) -> None: ...
    def movie(**kwargs: Unpack[Movie]) -> None: ...

    assert tool_from_function(numbers).schema["additionalProperties"] == {"type": "integer"}
    assert tool_from_function(movie).schema["required"] == ["title"]


def positional(a: int, b: int = 2, /, c: int = 3) -> list[int]:
    return [a, b, c]


def test_positional_only_parameters_are_given_by_name() -> None:
    tool = tool_from_function(positional)
    assert tool.handler is not None
    assert tool.handler(tool.bind(b'{"a": 1, "c": 5}')) == [1, 2, 5]


class Service:
    """A service."""

    def method(self, x: int) -> int:
        """Double it."""
        return x * 2

    @staticmethod
    def static(x: int) -> int:
        return x

    @classmethod
    def klass(cls, x: int) -> int:
        return x

    def __call__(self, x: int) -> int:
        return x + 1


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (Service().method, "method"),
        (Service.static, "static"),
        (Service.klass, "klass"),
        (Service(), "service"),
        (functools.partial(Service().method), "method"),
    ],
)
def test_all_kinds_of_callables_have_names_and_parameters(function: Any, name: str) -> None:
    tool = tool_from_function(function)
    assert tool.name == name
    assert list(tool.schema["properties"]) == ["x"]
    assert not tool.is_async


def test_what_a_partial_binds_stays_bound() -> None:
    def pay(amount: int, account: str) -> str:
        return f"{amount} from {account}"

    tool = tool_from_function(functools.partial(pay, account="ours"))
    assert tool.handler is not None
    assert tool.handler(tool.bind(b'{"amount": 1}')) == "1 from ours"
    with pytest.raises(ArgumentError, match="unknown parameter account"):
        tool.bind(b'{"amount": 1, "account": "theirs"}')


class AsyncService:
    async def __call__(self, x: int) -> int:
        return x


async def async_function(x: int) -> int:
    return x


@pytest.mark.parametrize("function", [async_function, functools.partial(async_function), AsyncService()])
def test_async_callables_are_known_as_such(function: Any) -> None:
    tool = tool_from_function(function)
    assert tool.is_async
    assert tool.handler is not None
    assert asyncio.run(tool.handler(tool.bind(b'{"x": 1}'))) == 1


def test_a_nested_function_finds_the_types_that_it_closes_over() -> None:
    @dataclass
    class Local:
        n: int

    def tool(value: Local) -> bool:
        return type(value) is Local

    definition = tool_from_function(tool)
    assert definition.handler is not None
    assert definition.handler(definition.bind(b'{"value": {"n": 1}}')) is True


def test_implicit_optional_accepts_null() -> None:
    def tool(x: int = None) -> Any:  # type: ignore[assignment]  # noqa: RUF013
        return x

    assert tool_from_function(tool).schema["properties"]["x"]["type"] == ["integer", "null"]


def test_a_default_without_json_form_makes_the_parameter_optional() -> None:
    marker = object()

    def tool(x: Any = marker) -> bool:
        return x is marker

    definition = tool_from_function(tool)
    assert definition.handler is not None
    assert definition.handler(definition.bind(b"{}")) is True


def test_an_explicit_schema_hands_over_the_checked_values() -> None:
    definition = tool_from_function(example, schema={"properties": {"city": {"type": "string"}}})
    assert definition.handler is not None
    assert definition.handler(definition.bind(b'{"city": "x"}'))["city"] == "x"
    with pytest.raises(ToolDefinitionError, match="declares town, which the function does not take"):
        tool_from_function(example, schema={"properties": {"town": {}}})


def star(*args: int) -> None: ...
def mixed(a: int, **kwargs: int) -> None: ...
def unknown(a: Path) -> None: ...
def foreign(a: asyncio.Lock) -> None: ...
def nameless(x: int) -> None: ...


unknown.__annotations__["a"] = "Path | Missing"
nameless.__name__ = "<lambda>"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (star, r"\*args cannot be given by name"),
        (mixed, "beside named parameters"),
        (unknown, "annotation of a names 'Missing'"),
        (foreign, "Lock has no JSON form"),
        (nameless, "a lambda has no name"),
        (Service, "a class cannot be a tool"),
    ],
)
def test_callables_without_fixed_parameters_are_refused(function: Any, message: str) -> None:
    with pytest.raises(ToolDefinitionError, match=message):
        tool_from_function(function)


def test_types_of_pydantic_work_once_it_is_imported() -> None:
    assert reaching(PositiveInt, 3) == 3
    with pytest.raises(ArgumentError, match="greater than 0"):
        reaching(PositiveInt, 0)
    assert str(reaching(AnyUrl, "https://example.com/a")) == "https://example.com/a"
    with pytest.raises(ArgumentError, match="value is refused"):
        reaching(AnyUrl, "https://EXAMPLE.com/a")  # it would be lower-cased


def test_a_definition_stays_itself() -> None:
    tool = tool_from_function(example)
    tagged: Any = lambda: None  # noqa: E731
    tagged.__amla_tool__ = tool
    assert tool_from_function(tagged) is tool
