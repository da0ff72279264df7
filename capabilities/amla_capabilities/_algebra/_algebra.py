"""Questions about constraints: does one set imply another, can anything satisfy it?

Each question is attacked from both sides. A proof by cases (the constraints as alternatives of leaves, each leaf
compared with each) answers yes. A witness, arguments made from the constants that the constraints mention, answers
no, since evaluation shows it; and where the witnesses stand for all arguments, that there is none is a proof, too.
Where nothing is found the question is undecided, and says so: never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from math import prod
from typing import Any

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._leaf import MEASURED, Leaf, Pathed
from amla_capabilities._constraints._logic import AllOf, AnyOf, Not, When
from amla_capabilities._errors import UndecidableError
from amla_capabilities._values import Json, less, same, type_name

from ._effort import Effort
from ._example import example
from ._witnesses import is_number, meets, place, witnesses

__all__ = ["Effort", "implies", "unsatisfiable"]

_MAX_CASES = 256  # alternatives of a constraint; beyond that the answer is "undecided"

_Atom = tuple[Pathed, bool]  # a leaf or each, and whether it is negated
_Case = tuple[_Atom, ...]


def implies(narrow: Sequence[Constraint], wide: Sequence[Constraint], effort: Effort | None = None) -> bool:
    """Whether arguments that meet all of `narrow` always meet all of `wide`.

    Raises `UndecidableError`, also when `effort` is used up.
    """
    if set(wide) <= set(narrow):
        return True
    effort = effort or Effort()
    found = _found(narrow, effort)
    if found is not None and not meets(found, wide):
        return False
    tried = witnesses(narrow, wide, effort)
    for arguments in tried.arguments:
        if meets(arguments, narrow) and not meets(arguments, wide):
            return False
    if tried.complete:
        return True
    cases = _cases(AllOf(tuple(narrow)), False)
    goals = [_cases(part, False) for part in wide]
    if cases is not None and all(_case_implies(case, goals, effort) for case in cases):
        return True
    raise UndecidableError(f"cannot decide whether ({_text(narrow)}) is at least as strict as ({_text(wide)})")


def unsatisfiable(constraints: Sequence[Constraint], effort: Effort | None = None) -> bool:
    """Whether no arguments meet all the constraints. Raises `UndecidableError`, also when `effort` is used up."""
    effort = effort or Effort()
    if _found(constraints, effort) is not None:
        return False
    tried = witnesses(constraints, effort=effort)
    if any(meets(arguments, constraints) for arguments in tried.arguments):
        return False
    if tried.complete:
        return True
    cases = _cases(AllOf(tuple(constraints)), False)
    if cases is not None and all(_contradicts(case, effort) for case in cases):
        return True
    raise UndecidableError(f"cannot decide whether anything satisfies ({_text(constraints)})")


def _found(constraints: Sequence[Constraint], effort: Effort) -> Json | None:
    effort.spend(sum(part.weight() for part in constraints))
    return example(constraints)


def _text(constraints: Iterable[Constraint]) -> str:
    return " & ".join(map(str, constraints))


# Proofs


def _cases(constraint: Constraint, negated: bool) -> list[_Case] | None:
    """The constraint as alternatives of atoms; None when there are too many."""
    if isinstance(constraint, Not):
        return _cases(constraint.constraint, not negated)
    if isinstance(constraint, When):
        return _cases(AnyOf((Not(constraint.condition), constraint.constraint)), negated)
    if isinstance(constraint, Pathed):
        return [((constraint, negated),)]
    if not isinstance(constraint, AllOf | AnyOf):
        raise TypeError(f"unknown kind of constraint: {type(constraint).__name__}")
    parts = [_cases(part, negated) for part in constraint.constraints]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    is_any = isinstance(constraint, AnyOf) is not negated
    if (sum if is_any else prod)(map(len, known)) > _MAX_CASES:
        return None
    if is_any:
        return [case for part in known for case in part]
    return [tuple(chain.from_iterable(choice)) for choice in product(*known)]


def _case_implies(case: _Case, goals: Sequence[list[_Case] | None], effort: Effort) -> bool:
    """Whether a case proves one of the alternatives of each goal."""
    return _contradicts(case, effort) or all(
        alternatives is not None
        and any(
            all(_proves(case, atom) for atom in alternative)
            for alternative in alternatives
            if effort.spend(_weight(case) * _weight(alternative))
        )
        for alternatives in goals
    )


def _weight(case: _Case) -> int:
    return sum(pathed.weight() for pathed, _ in case)


def _proves(case: _Case, goal: _Atom) -> bool:
    return any(_atom_implies(atom, goal) for atom in case) or _members_imply(case, goal)


def _atom_implies(atom: _Atom, goal: _Atom) -> bool:
    (have, have_negated), (want, want_negated) = atom, goal
    if have_negated is want_negated and have == want:
        return True
    mine, wanted = _positive(atom), _positive(goal)
    if mine is None or wanted is None or (mine.optional and not wanted.optional):
        return False
    if mine.operator.name == "not_exists" and wanted.optional:
        return wanted.path[: len(mine.path)] == mine.path
    if wanted.operator.name == "exists":
        return mine.path[: len(wanted.path)] == wanted.path and mine.operator.name != "not_exists" and not mine.optional
    if mine.path != wanted.path or mine.of_length is not wanted.of_length:
        return False
    if mine == replace(wanted, optional=mine.optional):
        return True
    rule = _RULES.get((mine.operator.name, wanted.operator.name))
    return rule is not None and rule(mine.operand, wanted.operand)


def _positive(atom: _Atom) -> Leaf | None:
    """The atom as a leaf without negation, if there is such a leaf."""
    pathed, negated = atom
    if not isinstance(pathed, Leaf):
        return None
    return pathed.negation() if negated else pathed


def _members_imply(case: _Case, goal: _Atom) -> bool:
    """Whether every value that the case's list of values leaves over meets the goal."""
    wanted, negated = goal
    if negated and None in wanted.path:
        return False  # "not every element" fails on an empty array, whatever the values
    leaves = [leaf for leaf in map(_positive, case) if leaf is not None and _sameplace(leaf, wanted)]
    values = _values(leaves)
    if values is None or (any(leaf.optional for leaf in leaves) and not wanted.optional):
        return False
    return all(wanted.judge(value, (), negated, None) for value in _at_root(leaves, values, wanted))


def _sameplace(leaf: Leaf, other: Pathed) -> bool:
    return leaf.path == other.path and not leaf.of_length


def _values(leaves: Iterable[Leaf]) -> list[Json] | None:
    """The finitely many values that some leaf leaves open, if one does."""
    for leaf in leaves:
        if leaf.operator.name == "eq":
            return [leaf.operand]
        if leaf.operator.name == "is_in":
            return list(leaf.operand)
    return None


def _at_root(leaves: Sequence[Leaf], values: Iterable[Json], wanted: Pathed) -> Iterator[Json]:
    """Arguments that hold, where `wanted` looks, each value that all leaves admit."""
    for value in values:
        arguments = place(None, wanted.path, value)
        if all(leaf.holds(arguments) for leaf in leaves):
            yield arguments


def _contradicts(case: _Case, effort: Effort) -> bool:
    """Whether no arguments meet a case. Says no when it does not know."""
    effort.spend(_weight(case) * len(case))
    leaves = [leaf for leaf in map(_positive, case) if leaf is not None and not leaf.optional and None not in leaf.path]
    pairs = ((one, other) for n, one in enumerate(leaves) for other in leaves[n + 1 :])
    return any(_clash(one, other) for one, other in pairs) or any(_no_member(leaf, leaves) for leaf in leaves)


def _no_member(leaf: Leaf, leaves: Sequence[Leaf]) -> bool:
    here = [other for other in leaves if _sameplace(other, leaf)]
    values = _values([leaf]) if _sameplace(leaf, leaf) else None
    return values is not None and not any(True for _ in _at_root(here, values, leaf))


def _clash(one: Leaf, other: Leaf) -> bool:
    """Whether two leaves exclude each other."""
    if _absent(one, other) or _absent(other, one):
        return True
    if one.path != other.path:
        return False
    if not _types(one) & _types(other):
        return True
    if one.of_length is not other.of_length:
        return False
    return any(
        rule is not None and rule(first.operand, second.operand)
        for first, second in ((one, other), (other, one))
        for rule in (_CLASHES.get((first.operator.name, second.operator.name)),)
    )


def _absent(one: Leaf, other: Leaf) -> bool:
    """Whether `one` demands that something be missing which `other` needs."""
    needs = other.operator.name != "not_exists"
    return one.operator.name == "not_exists" and needs and other.path[: len(one.path)] == one.path


def _types(leaf: Leaf) -> frozenset[str]:
    """The JSON types that a value may have where the leaf holds."""
    if leaf.of_length:
        return MEASURED
    if leaf.operator.name == "is_type":
        return frozenset({"number" if leaf.operand == "integer" else leaf.operand})
    return leaf.operator.accepts(leaf.operand)


def _not_less(first: Any, second: Any) -> bool:
    return not less(first, second)


def _not_more(first: Any, second: Any) -> bool:
    return not less(second, first)


_Rule = Callable[[Any, Any], bool]

# Where "x OP a" implies "x OP' b", as a condition on a and b.
_RULES: dict[tuple[str, str], _Rule] = {
    ("le", "le"): _not_more,
    ("le", "lt"): less,
    ("lt", "le"): _not_more,
    ("lt", "lt"): _not_more,
    ("ge", "ge"): _not_less,
    ("ge", "gt"): lambda a, b: less(b, a),
    ("gt", "ge"): _not_less,
    ("gt", "gt"): _not_less,
    ("le", "ne"): lambda a, b: is_number(b) and less(a, b),
    ("lt", "ne"): lambda a, b: is_number(b) and _not_more(a, b),
    ("ge", "ne"): lambda a, b: is_number(b) and less(b, a),
    ("gt", "ne"): lambda a, b: is_number(b) and _not_less(a, b),
    ("starts_with", "starts_with"): lambda a, b: a.startswith(b) and ("/" not in b or "/" in a),
    ("starts_with", "contains"): lambda a, b: isinstance(b, str) and b in a,
    ("ends_with", "ends_with"): lambda a, b: a.endswith(b),
    ("ends_with", "contains"): lambda a, b: isinstance(b, str) and b in a,
    ("under", "under"): lambda a, b: b == "/" or a == b or a.startswith(b + "/"),
    ("host_in", "host_in"): lambda a, b: set(a) <= set(b),
    ("not_in", "not_in"): lambda a, b: _same_types(a, b) and all(any(same(x, y) for y in a) for x in b),
    ("not_in", "ne"): lambda a, b: _same_types(a, [b]) and any(same(b, y) for y in a),
    ("is_type", "is_type"): lambda a, b: a == b or (a, b) == ("integer", "number"),
}

# Where "x OP a" and "x OP' b" exclude each other.
_CLASHES: dict[tuple[str, str], _Rule] = {
    ("le", "ge"): less,
    ("le", "gt"): _not_more,
    ("lt", "ge"): _not_more,
    ("lt", "gt"): _not_more,
    ("starts_with", "starts_with"): lambda a, b: not a.startswith(b) and not b.startswith(a),
    ("ends_with", "ends_with"): lambda a, b: not a.endswith(b) and not b.endswith(a),
    ("under", "under"): lambda a, b: not _nested(a, b) and not _nested(b, a),
    ("host_in", "host_in"): lambda a, b: not {h.split(":")[0] for h in a} & {h.split(":")[0] for h in b},
}


def _nested(inner: str, outer: str) -> bool:
    return outer == "/" or inner == outer or inner.startswith(outer + "/")


def _same_types(first: Sequence[Json], second: Sequence[Json]) -> bool:
    """Whether every value that the first list can judge, the second can, too."""
    return set(map(type_name, first)) <= set(map(type_name, second))
