# SPDX-License-Identifier: GPL-2.0-only
"""The stored JSON Schema is the program's own, takes every shipped scenario and refuses bad ones."""

import copy
import json
import subprocess
from pathlib import Path

import jsonschema
import pytest
import yaml

TOP = Path(__file__).resolve().parents[2]
SCENARIOS = sorted((TOP / "scenarios").glob("*.yaml"))


def find_program():
    """The newest build of the program; tests/run makes one before it calls this."""
    programs = [path for path in TOP.glob("build*/rdmasim") if path.is_file()]
    if not programs:
        pytest.skip("no build*/rdmasim: nothing is built")
    return max(programs, key=lambda path: path.stat().st_mtime)


@pytest.fixture(name="schema")
def make_schema():
    return json.loads((TOP / "scenarios" / "scenario.schema.json").read_text(encoding="ascii"))


def complaints(schema, scenario):
    return list(jsonschema.Draft202012Validator(schema).iter_errors(scenario))


def test_stored_schema_is_current(schema):
    result = subprocess.run(
        [find_program(), "schema"], capture_output=True, text=True, check=True
    )
    assert schema == json.loads(result.stdout), (
        "scenarios/scenario.schema.json is old: rdmasim schema > scenarios/scenario.schema.json"
    )


def test_schema_is_a_schema(schema):
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_shipped_scenarios_are_taken(schema, path):
    scenario = yaml.safe_load(path.read_text(encoding="ascii"))
    assert complaints(schema, scenario) == []


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_shipped_scenarios_load(path):
    result = subprocess.run(
        [find_program(), "check", path], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


BAD = {
    "unknown key": ("colour", "red"),
    "bare number for a time": ("duration", 5),
    "unknown unit": ("duration", "5 minutes"),
    "negative seed": ("seed", -1),
    "unknown engine": ("engine", {"simulator": "fabrik"}),
    "unknown family": ("topology", {"family": "stra"}),
    "bare number for a rate": ("topology", {"family": "star", "rate": 100}),
    "key of another family": ("topology", {"family": "star", "k": 4}),
    "no list": ("workload", {"pattern": "incast"}),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_scenarios_are_refused(schema, name):
    good = {"topology": {"family": "star", "hosts": 3}, "workload": [{"pattern": "incast"}]}
    assert complaints(schema, good) == []
    bad = copy.deepcopy(good)
    key, value = BAD[name]
    bad[key] = value
    assert complaints(schema, bad) != []
