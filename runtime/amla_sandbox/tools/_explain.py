"""A validator's fault as a sentence for a script's author: the parameter, the problem, the form that is accepted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from amla_capabilities._suggest import nearest

from ._formats import EXAMPLES
from ._json import extend_path, is_array, is_fresh_object, show
from ._schema import branches, parameter_schema, resolve

if TYPE_CHECKING:
    import jsonschema_rs

    from ._definition import ToolDefinition

__all__ = ["Fault", "expected", "explain", "known_parameters"]

_MAX_NAMES = 12  # listed parameters or alternatives; arbitrary, keeps a message within two lines

_NOUNS = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
    "array": "an array",
    "object": "an object",
}


class Fault(NamedTuple):
    """One thing wrong with a call: where (``customer.zip``, empty for the whole) and the sentence that says so."""

    parameter: str
    sentence: str


def explain(error: jsonschema_rs.ValidationError, tool: ToolDefinition, value: Any) -> Fault:
    """The sentence for one error of the validator about ``value``; secret parameters' values are left out of it."""
    steps: list[str | int] = error.instance_path
    where, given = "", value
    for step in steps:
        where, given = extend_path(where, step), given[step]
    hidden = bool(steps) and steps[0] in {_top(name) for name in tool.secret}
    sentence = _SENTENCES.get(error.kind.name, _other)
    return sentence(_Case(error, tool, where, "" if hidden else f", not {show(given)}", value))


def _top(name: str) -> str:
    """The parameter that a path such as ``customer.ssn`` or ``cards[0]`` starts with."""
    return name.split(".", maxsplit=1)[0].split("[", maxsplit=1)[0]


class _Case(NamedTuple):
    error: jsonschema_rs.ValidationError
    tool: ToolDefinition
    where: str
    given: str  # ", not 5", or empty for a secret parameter
    value: Any

    @property
    def detail(self) -> dict[str, Any]:
        return self.error.kind.as_dict()

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of the value at fault, as far as the validator's path leads to it."""
        node: Any = self.tool.schema
        for step in self.error.schema_path[:-1]:
            try:
                node = resolve(node["$ref"], self.tool.schema) if step == "$ref" else node[step]
            except (KeyError, IndexError, TypeError):
                return {}
        return node if is_fresh_object(node) else {}

    @property
    def subject(self) -> str:
        return self.where or "the argument"


def _missing(case: _Case) -> Fault:
    name: str = case.detail["property"]
    where = extend_path(case.where, name)
    declared: dict[str, Any] = case.schema.get("properties", {}).get(name) or {}
    form = expected(declared if case.where else declared or parameter_schema(case.tool.schema, name))
    return Fault(where, f"missing parameter {where}{f' ({form})' if form else ''}")


def _unexpected(case: _Case) -> Fault:
    names: list[str] = case.detail["unexpected"]
    declared = known_parameters(case.tool) if not case.where else sorted(case.schema.get("properties", {}))
    return _unknown_names(case, names, declared)


def _unknown_names(case: _Case, names: list[str], declared: list[str]) -> Fault:
    listed = ", ".join(extend_path(case.where, name) for name in names[:_MAX_NAMES])
    near = nearest(names[0], declared)
    accepted = ", ".join(declared[:_MAX_NAMES]) + (", …" if len(declared) > _MAX_NAMES else "")
    hint = f"did you mean {near}? " if near else ""
    offer = f"it takes {accepted}" if declared else "it takes no parameters"
    return Fault(extend_path(case.where, names[0]), f"unknown parameter {listed} ({hint}{offer})")


def _property_name(case: _Case) -> Fault:
    name = _instance_of(case.error.kind.error)  # type: ignore[attr-defined]
    if not case.where and isinstance(name, str):
        return _unknown_names(case, [name], known_parameters(case.tool))
    return Fault(case.where, f"{case.subject} has a key {show(name)} that is not allowed")


def _instance_of(error: Any) -> Any:
    return error.instance


def _type(case: _Case) -> Fault:
    types: list[str] = case.detail["types"]
    accepted = " or ".join(_NOUNS.get(name, name) for name in types)
    return Fault(case.where, f"{case.subject} must be {accepted}{case.given}")


def _enum(case: _Case) -> Fault:
    options: list[Any] = case.schema.get("enum") or case.detail["options"]
    return Fault(case.where, f"{case.subject} must be {_one_of(options)}{case.given}")


def _constant(case: _Case) -> Fault:
    return Fault(case.where, f"{case.subject} must be {show(case.detail['expected_value'])}{case.given}")


def _format(case: _Case) -> Fault:
    name: str = case.detail["format"]
    example = f" such as {show(EXAMPLES[name])}" if name in EXAMPLES else ""
    return Fault(case.where, f"{case.subject} must be a {name}{example}{case.given}")


def _union(case: _Case) -> Fault:
    inner = _only_candidate(case)
    if inner is not None:
        return explain(inner, case.tool, case.value)
    form = expected(case.schema) or "one of its accepted forms"
    return Fault(case.where, f"{case.subject} must be {form}{case.given}")


def _only_candidate(case: _Case) -> jsonschema_rs.ValidationError | None:
    """The fault within the one alternative whose type fits the value, if there is just one such alternative."""
    context: list[list[Any]] = getattr(case.error.kind, "context", [])
    depth = len(case.error.instance_path)
    fitting = [
        faults
        for faults in context
        if not any(fault.kind.name == "type" and len(fault.instance_path) == depth for fault in faults)
    ]
    return fitting[0][0] if len(fitting) == 1 and fitting[0] else None


def _bound(words: str) -> Callable[[_Case], Fault]:
    def sentence(case: _Case) -> Fault:
        limit = next(iter(case.detail.values()))
        return Fault(case.where, f"{case.subject} must {words.format(show(limit))}{case.given}")

    return sentence


def _other(case: _Case) -> Fault:
    return Fault(case.where, f"{case.subject} does not satisfy {case.error.kind.name!r} of its schema{case.given}")


_SENTENCES: dict[str, Callable[[_Case], Fault]] = {
    "required": _missing,
    "additionalProperties": _unexpected,
    "unevaluatedProperties": _unexpected,
    "propertyNames": _property_name,
    "type": _type,
    "enum": _enum,
    "const": _constant,
    "format": _format,
    "anyOf": _union,
    "oneOf": _union,
    "oneOfMultipleValid": _union,
    "oneOfNotValid": _union,
    "minimum": _bound("be at least {}"),
    "maximum": _bound("be at most {}"),
    "exclusiveMinimum": _bound("be greater than {}"),
    "exclusiveMaximum": _bound("be less than {}"),
    "multipleOf": _bound("be a multiple of {}"),
    "minLength": _bound("have at least {} characters"),
    "maxLength": _bound("have at most {} characters"),
    "minItems": _bound("have at least {} items"),
    "maxItems": _bound("have at most {} items"),
    "minProperties": _bound("have at least {} keys"),
    "maxProperties": _bound("have at most {} keys"),
    "pattern": _bound("match the pattern {}"),
}


def known_parameters(tool: ToolDefinition) -> list[str]:
    """The names that the tool declares, in their declared order."""
    reached = branches(tool.schema, tool.schema)
    return list(dict.fromkeys(name for branch, _ in reached for name in branch.get("properties", {})))


def expected(schema: dict[str, Any]) -> str:
    """A few words for what a schema accepts (``an integer or null``); empty if it does not say."""
    if "enum" in schema:
        return _one_of(schema["enum"])
    if "const" in schema:
        return show(schema["const"])
    types = schema.get("type")
    if isinstance(types, str):
        return _typed(types, schema)
    if is_array(types):
        return " or ".join(_NOUNS.get(name, str(name)) for name in types)
    alternatives: list[Any] = schema.get("anyOf") or schema.get("oneOf") or []
    forms = [expected(part) or "an object" for part in filter(is_fresh_object, alternatives)]
    return " or ".join(dict.fromkeys(forms))


def _typed(name: str, schema: dict[str, Any]) -> str:
    if name == "string" and schema.get("format") in EXAMPLES:
        return f"a {schema['format']} such as {show(EXAMPLES[schema['format']])}"
    if name == "array" and is_fresh_object(schema.get("items")):
        return f"an array, each item {expected(schema['items']) or 'any value'}"
    return _NOUNS.get(name, name)


def _one_of(options: list[Any]) -> str:
    shown = [show(option) for option in options[:_MAX_NAMES]]
    more = ", …" if len(options) > _MAX_NAMES else ""
    return shown[0] if len(shown) == 1 else f"one of {', '.join(shown)}{more}"
