"""Loading the tools of a manifest: where Python code is found (R26), and that everything wrong is said at once."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from amla_capabilities.manifest import ManifestError
from amla_sandbox.tools import ArgumentError, ToolDefinitionError

Load = Callable[..., Any]


@pytest.fixture(autouse=True)
def clean_imports() -> Iterator[None]:
    """Each test sees the modules and the path as they were."""
    modules, path = set(sys.modules), list(sys.path)
    yield
    for name in set(sys.modules) - modules:
        del sys.modules[name]
    sys.path[:] = path


WEATHER = '''
from neighbour import UNIT
def get_weather(city: str) -> dict[str, str]:
    """Weather of a city.

    Args:
        city: Its name.
    """
    return {"city": city, "unit": UNIT}
class Station:
    async def read(self, sensor: int = 1) -> int:
        return sensor
station = Station()
VALUE = 5
'''


def test_a_function_beside_the_manifest(load: Load, tmp_path: Path) -> None:
    (tmp_path / "weather.py").write_text(WEATHER)
    (tmp_path / "neighbour.py").write_text("UNIT = 'C'")
    tools = load(
        '[tools."city/weather"]\npython = "weather:get_weather"\nsecret = ["city"]\neffect = "read"\nallow = true'
    )
    tool = tools["city/weather"]
    assert tools.call("city/weather", city="x") == {"city": "x", "unit": "C"}
    assert tool.description == "Weather of a city."
    assert tool.schema["properties"]["city"]["description"] == "Its name."
    assert (tool.effect, tool.secret) == ("read", {"city"})
    assert tool.host_files == (str((tmp_path / "weather.py").resolve()),)


def test_a_method_of_an_object(load: Load, tmp_path: Path) -> None:
    (tmp_path / "weather.py").write_text(WEATHER)
    (tmp_path / "neighbour.py").write_text("UNIT = 'C'")
    tools = load('[tools.t]\npython = "weather:station.read"\nallow = true')
    assert tools["t"].is_async
    assert tools.call("t", sensor=3) == 3


def test_a_module_of_a_package_beside_the_manifest(load: Load, tmp_path: Path) -> None:
    package = tmp_path / "shop" / "api"
    package.mkdir(parents=True)
    (tmp_path / "shop" / "__init__.py").write_text("NAME = 'shop'")
    (package / "__init__.py").write_text("")
    (package / "orders.py").write_text("from .. import NAME\ndef name() -> str:\n    return NAME")
    assert load('[tools.t]\npython = "shop.api.orders:name"\nallow = true').call("t") == "shop"


def test_an_installed_module(load: Load) -> None:
    tools = load('[tools.t]\npython = "posixpath:basename"\nparams.p = {}\nallow = true')
    assert tools.call("t", p="a/b") == "b"


def test_two_manifests_may_have_modules_of_one_name(load: Load, tmp_path: Path) -> None:
    text = '[tools.t]\npython = "mine:name"\nallow = true'
    (tmp_path / "mine.py").write_text("def name() -> str:\n    return 'first'")
    assert load(text).call("t") == "first"
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.py").write_text("def name() -> str:\n    return 'second'")
    (other / "tools.toml").write_text(text)
    from amla_capabilities.manifest import load_manifest
    from amla_sandbox.tools import from_manifest

    (tool,) = from_manifest(load_manifest(other / "tools.toml"))
    assert tool.handler is not None
    assert tool.handler(tool.bind(b"{}")) == "second"


@pytest.mark.parametrize(
    ("python", "message"),
    [
        ("missing:f", "there is no missing.py beside the manifest, and no module of that name is installed"),
        ("broken:f", "broken cannot be loaded: ZeroDivisionError: division by zero"),
        ("needy:f", "needy needs 'not_installed_anywhere', which is not installed"),
        ("weather:get_wether", "weather has no 'get_wether'; did you mean 'get_weather'"),
        ("weather:VALUE", "weather:VALUE is of type int, not a function"),
    ],
)
def test_what_cannot_be_loaded_is_explained(load: Load, tmp_path: Path, python: str, message: str) -> None:
    (tmp_path / "weather.py").write_text(WEATHER)
    (tmp_path / "neighbour.py").write_text("UNIT = 'C'")
    (tmp_path / "broken.py").write_text("1 / 0")
    (tmp_path / "needy.py").write_text("import not_installed_anywhere")
    with pytest.raises(ToolDefinitionError) as caught:
        load(f'[tools.t]\npython = "{python}"\nallow = true')
    assert message in str(caught.value)
    assert "tools.toml:" in str(caught.value)


def test_all_faults_are_reported_at_once(load: Load) -> None:
    with pytest.raises(ToolDefinitionError) as caught:
        load('[tools.a]\npython = "missing:f"\nallow = true\n[tools.b]\ncommand = ["no-such-program"]\nallow = true')
    assert "no missing.py" in str(caught.value)
    assert "'no-such-program' was not found" in str(caught.value)


def test_constraints_are_checked_against_the_signature(load: Load, tmp_path: Path) -> None:
    (tmp_path / "pay.py").write_text("def pay(amount: int) -> None: ...")
    with pytest.raises(ManifestError, match="amont"):
        load('[tools.pay]\npython = "pay:pay"\nconstraints = { amont = "<=5" }')


def test_params_in_the_manifest_replace_the_signature(load: Load, tmp_path: Path) -> None:
    (tmp_path / "pay.py").write_text("def pay(**kwargs):\n    return kwargs")
    tools = load('[tools.pay]\npython = "pay:pay"\nparams.amount = { type = "integer", default = 3 }\nallow = true')
    assert tools.call("pay") == {"amount": 3}
    with pytest.raises(ArgumentError, match="unknown parameter currency"):
        tools.call("pay", currency="EUR")


def test_mocks_and_returns_are_kept(load: Load) -> None:
    more = 'mock = { id = 1 }\nreturns = { type = "object" }\nidempotent = true\nallow = true'
    tool = load(f'[tools.t]\ncommand = ["true"]\n{more}')["t"]
    assert (tool.mock, tool.returns, tool.idempotent, tool.is_async) == ({"id": 1}, {"type": "object"}, True, True)
    assert inspect.iscoroutinefunction(tool.handler)


def test_the_formats_that_manifests_may_name_are_those_that_are_asserted() -> None:
    """A format that the validator does not know would be no check; one that it knows need not be a fault."""
    import jsonschema_rs

    from amla_capabilities.manifest._keywords import FORMATS as NAMED
    from amla_sandbox.tools._formats import FORMATS as OURS

    for name in NAMED:
        jsonschema_rs.validator_for({"format": name}, validate_formats=True, ignore_unknown_formats=False, formats=OURS)
    assert OURS.keys() <= NAMED
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validator_for({"format": "color"}, validate_formats=True, ignore_unknown_formats=False)


def test_policy_tests_are_judged_with_arguments_as_a_run_has_them(tmp_path: Path) -> None:
    """`bind_value` is what `run_tests` takes: it validates, and fills in defaults, before the policy looks."""
    from amla_capabilities import load_manifest
    from amla_capabilities.lint import run_tests
    from amla_sandbox.tools import bind_value, from_manifest

    (tmp_path / "tools.toml").write_text(
        '[tools.t]\ncommand = ["echo", "{n}"]\nparams.n = { type = "integer", default = 5, maximum = 100 }\n'
        'constraints = { n = "<=50" }\n'
        '[[tests]]\ncall = "t"\nexpect = "allow"\n'
        '[[tests]]\ncall = "t"\nargs = { n = 60 }\nexpect = "deny"\n'
        '[[tests]]\ncall = "t"\nargs = { n = 600 }\nexpect = "deny"\n'
        '[[tests]]\ncall = "t"\nargs = { m = 1 }\nexpect = "allow"\n'
    )
    manifest = load_manifest(tmp_path / "tools.toml")
    tools = {tool.path: tool for tool in from_manifest(manifest)}
    outcomes = run_tests(manifest, prepare=lambda tool, arguments: bind_value(tools[tool], arguments))
    assert [outcome.passed for outcome in outcomes] == [True, True, True, False]
    assert outcomes[1].rule == "tools.t: n 60 violates n <= 50"
    assert outcomes[2].rule == "the schema of t: n must be at most 100, not 600"
    assert "unknown parameter m" in outcomes[3].rule
