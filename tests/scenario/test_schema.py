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


def leaves(schema, path=()):
    """(path, schema) of every key that a scenario may have."""
    for key, value in schema.get("properties", {}).items():
        if isinstance(value, dict):
            yield (*path, key), value
            yield from leaves(value, (*path, key))
            yield from leaves(value.get("items", {}), (*path, key))
    for branch in schema.get("allOf", []):
        yield from leaves(branch["then"], path)


def test_every_key_is_described(schema):
    found = list(leaves(schema))
    assert len(found) > 150
    assert [".".join(path) for path, value in found if not value.get("description")] == []


def test_names_have_descriptions(schema):
    properties = schema["properties"]
    for names in (
        properties["congestion"]["properties"]["algorithm"]["oneOf"],
        properties["transport"]["properties"]["policy"]["oneOf"],
        properties["engine"]["properties"]["simulator"]["oneOf"],
        properties["workload"]["items"]["properties"]["pattern"]["oneOf"],
    ):
        assert len(names) >= 3
        assert all(name["const"] and name["description"] for name in names)


def test_files_over_files_windows_and_sweeps(schema):
    assert complaints(schema, {
        "extends": ["a.yaml", "b.yaml"],
        "workload+": [{"pattern": "incast", "senders": 2}],
        "window": {"warm_up": "1ms", "cut_off": "9ms"},
        "plugins": ["./x.so"],
        "sweep": {"seed": [1, 2], "congestion": {"algorithm": ["dcqcn", "none"]},
                  "zip": [{"topology.rate": ["25Gbps"], "switch.buffer.size": ["1MiB"]}]},
    }) == []
    for bad in (
        {"extends": {"a": 1}},
        {"workload+": {"pattern": "incast"}},
        {"workload+": [{"pattern": "incast", "k": 4}]},
        {"window": {"warmup": "1ms"}},
        {"window": {"warm_up": 5}},
        {"sweep": {"seed": []}},
        {"seed": [1, 2]},
    ):
        assert complaints(schema, bad) != [], bad


def test_a_wrong_key_is_told_alone(schema):
    found = complaints(schema, {"topology": {"family": "star", "k": 4}})
    assert len(found) == 1
    assert "'k' was unexpected" in found[0].message


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_editors_find_the_schema(path):
    first = path.read_text(encoding="ascii").splitlines()[0]
    assert first == "# yaml-language-server: $schema=scenario.schema.json"
