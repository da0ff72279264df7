"""What an installation of amla consists of."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import pytest

import amla_capabilities
import amla_cli
import amla_sandbox

PACKAGES = [amla_cli, amla_sandbox, amla_capabilities]


@pytest.fixture(scope="module")
def installed() -> metadata.Distribution:
    """The installed distribution. Where sources are only on a path, or linked, there is none to look at."""
    try:
        distribution = metadata.distribution("amla")
    except metadata.PackageNotFoundError:
        pytest.skip("amla is on the path but not installed")
    if json.loads(distribution.read_text("direct_url.json") or "{}").get("dir_info", {}).get("editable"):
        pytest.skip("amla is installed in editable mode")
    return distribution


def test_the_installed_package_is_the_one_that_is_tested(installed: metadata.Distribution) -> None:
    """No checkout shadows it."""
    for package in PACKAGES:
        assert package.__file__ is not None
        assert Path(package.__file__) == Path(str(installed.locate_file(f"{package.__name__}/__init__.py")))


def test_a_wheel_holds_the_guest_its_provenance_and_types(installed: metadata.Distribution) -> None:
    files = {file.as_posix() for file in installed.files or ()}
    assert {"amla_sandbox/guest/amla.wasm", "amla_sandbox/guest/provenance.json"} <= files
    assert {f"{package.__name__}/py.typed" for package in PACKAGES} <= files
    assert any(file.endswith("licenses/THIRD_PARTY_NOTICES") for file in files)


def test_a_wheel_takes_no_general_names(installed: metadata.Distribution) -> None:
    """`runtime`, `capabilities` and `tests` are folders of the repository, never of site-packages."""
    top = {file.parts[0] for file in installed.files or () if not file.parts[0].startswith((".", "__"))}
    assert {name for name in top if ".dist-info" not in name} == {package.__name__ for package in PACKAGES}


def test_versions_agree(installed: metadata.Distribution) -> None:
    assert installed.version == amla_sandbox.__version__
