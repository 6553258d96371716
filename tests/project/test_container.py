"""The container's files name what there is; `make test-container` builds and runs them."""

import re

import pytest
import yaml

from tests import ROOT
from tests.proof.container import FILE, steps_of, wanted

TABLES = sorted((ROOT / "packaging").glob("compose*.yaml"))


def test_all_that_the_wheel_needs_is_copied_and_nothing_that_is_not_there():
    taken = {path for pattern in wanted() for path in ROOT.glob(pattern)}
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    forced = re.findall(r'^"([\w/.]+)" = "(?:vision|scorer)/_', project, re.M)

    assert len(forced) > 5
    for name in forced:
        assert any((ROOT / name).is_relative_to(path) for path in taken), name
    assert all(any(ROOT.glob(pattern)) for pattern in wanted())


def test_the_program_of_one_file_takes_every_kind_of_network_that_the_wheel_has():
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    ends = set(re.findall(r'^"models/\w+(\.\w+)" = "vision/_models', project, re.M))
    program = (ROOT / "packaging" / "pipsight.spec").read_text("utf-8")

    (named,) = re.findall(r"^NETWORKS = \((.*)\)$", program, re.M)

    assert ends <= set(re.findall(r'"([^"]+)"', named))


def test_it_serves_and_is_asked_after_its_health():
    steps = steps_of(FILE.read_text("utf-8"))

    assert (steps.entry, steps.command[0]) == (["pipsight"], "serve")
    assert "/healthz" in steps.health[-1]
    assert re.search(r"^USER [1-9]", FILE.read_text("utf-8"), re.M)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_what_is_composed_runs_read_only_and_without_powers(path):
    services = yaml.safe_load(path.read_text("utf-8"))["services"]
    ours = [service for service in services.values() if service["image"] == "pipsight"]

    assert ours
    for service in ours:
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert (ROOT / "packaging" / service["build"]["context"]).resolve() == ROOT
    assert all("PASSWORD:-" not in str(service) for service in services.values())
