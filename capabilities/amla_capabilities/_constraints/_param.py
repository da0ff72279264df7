"""`Param`: constraints written as Python comparisons."""

from __future__ import annotations

from collections.abc import Iterable

from amla_capabilities._errors import ConstraintError
from amla_capabilities._paths import parse_path, path_text

from ._constraint import Constraint, checked
from ._leaf import Each, Leaf

__all__ = ["Param"]


class Param:
    """A parameter of a tool, or a place inside it: `Param("amount") <= 100`, `Param("items[*].price") > 0`.

    Each comparison gives a `Constraint`. A missing argument never satisfies one, unless `optional=True`, which lets
    the call do without the argument. `Param()` is the element itself inside `each`.
    """

    __hash__ = None  # type: ignore[assignment]  # == builds a constraint
    __slots__ = ("_of_length", "_optional", "_path")

    def __init__(self, path: str = "", *, optional: bool = False) -> None:
        """`path` as in `customer.address.country`, `items[*].price`, `items[0].sku`, `["a.b"]`."""
        self._path = parse_path(path)
        self._optional = optional
        self._of_length = False

    @property
    def length(self) -> Param:
        """The number of characters of a string, elements of an array or keys of an object, to be compared."""
        if self._of_length:
            raise ConstraintError(f"{self!r}: a length has no length")
        measured = Param(path_text(self._path), optional=self._optional)
        measured._of_length = True
        return measured

    def _leaf(self, name: str, operand: object = None) -> Constraint:
        if isinstance(operand, Param):
            raise ConstraintError(f"{self!r} is compared with {operand!r}: a constraint compares with a constant")
        return Leaf.build(name, self._path, operand, optional=self._optional, of_length=self._of_length)

    def __le__(self, bound: object) -> Constraint:
        return self._leaf("le", bound)

    def __lt__(self, bound: object) -> Constraint:
        return self._leaf("lt", bound)

    def __ge__(self, bound: object) -> Constraint:
        return self._leaf("ge", bound)

    def __gt__(self, bound: object) -> Constraint:
        return self._leaf("gt", bound)

    def __eq__(self, value: object) -> Constraint:  # type: ignore[override]
        return self._leaf("eq", value)

    def __ne__(self, value: object) -> Constraint:  # type: ignore[override]
        return self._leaf("ne", value)

    def is_in(self, values: Iterable[object]) -> Constraint:
        """One of `values`; a value of a type that none of them has is a fault."""
        return self._leaf("is_in", values)

    def not_in(self, values: Iterable[object]) -> Constraint:
        """None of `values`; a value of a type that none of them has is a fault, so `["admin"]` does not pass."""
        return self._leaf("not_in", values)

    def starts_with(self, prefix: str) -> Constraint:
        """A string beginning with `prefix`. If that holds a `/`, values with dot segments are refused (R16)."""
        return self._leaf("starts_with", prefix)

    def ends_with(self, suffix: str) -> Constraint:
        return self._leaf("ends_with", suffix)

    def contains(self, part: object) -> Constraint:
        """A string with this part, or an array with this element."""
        return self._leaf("contains", part)

    def matches(self, expression: str) -> Constraint:
        """A string that a regular expression matches as a whole, in linear time: no look-around, no back-references."""
        return self._leaf("matches", expression)

    def exists(self) -> Constraint:
        """The argument is given; null counts as given."""
        return self._leaf("exists")

    def not_exists(self) -> Constraint:
        return self._leaf("not_exists")

    def is_type(self, name: str) -> Constraint:
        """A JSON type: null, boolean, integer, number, string, array, object. 1.0 is an integer, true is not."""
        return self._leaf("is_type", name)

    def under(self, folder: str) -> Constraint:
        """An absolute path that is `folder` or inside it, judged by its text alone: no link is followed (R16)."""
        return self._leaf("under", folder)

    def host_in(self, hosts: Iterable[str]) -> Constraint:
        """An http(s) address on one of these hosts; `"host:8443"` allows a port besides the default (R17)."""
        return self._leaf("host_in", hosts)

    def each(self, constraint: Constraint) -> Constraint:
        """Every element of this array meets `constraint`, written with paths that start at the element."""
        if self._of_length:
            raise ConstraintError(f"{self!r} is a number and has no elements")
        return Each(self._path, self._optional, checked(constraint))

    def __bool__(self) -> bool:
        raise ConstraintError(f"{self!r} has no truth value; compare it, or use .exists()")

    def __repr__(self) -> str:
        text = f"Param({path_text(self._path)!r}{', optional=True' if self._optional else ''})"
        return f"{text}.length" if self._of_length else text
