# SPDX-License-Identifier: GPL-2.0-only
"""The tree obeys its rules, and each rule can fail: a small bad tree for each shows it."""

from pathlib import Path

import pytest
import rules

ROOT = Path(__file__).resolve().parents[2]


def write(root, file, text):
    """Makes a file of a test's own tree."""
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def check(findings):
    """Fails with one finding a line."""
    assert not findings, "\n" + "\n".join(findings)


# The tree.


@pytest.mark.parametrize("rule", [rules.layering, rules.banned_text, rules.unordered_iteration,
                                  rules.untested, rules.first_lines, rules.companions])
def test_tree(rule):
    check(rule(ROOT))


def test_tree_sizes(capsys):
    listing = (Path(__file__).parent / "exceptions.txt").read_text()
    listed = rules.listed_exceptions(listing)
    with capsys.disabled():
        print(f"\nexceptions to the size limits: {len(listed)}")
        for excess in listed:
            print(f"  {excess.kind} {excess.value} {excess.file} {excess.subject}")
    check(rules.unlisted(rules.sizes(ROOT), listed))


def test_arrows_have_no_cycle():
    # If a part reached itself, its level would not exist.
    def below(part):
        reached = set(rules.ALLOWED[part])
        for lower in rules.ALLOWED[part]:
            reached |= below(lower)
        return reached
    for part in rules.ALLOWED:
        assert part not in below(part)


# Each rule on a tree that breaks it.


@pytest.mark.parametrize("part, include, fine", [
    ("wire", '"base/units.h"', True),
    ("wire", '"wire/bth.h"', True),
    ("wire", '"verbs/qp.h"', False),
    ("verbs", '"wire/bth.h"', False),
    ("congestion", '"transport/rc-requester.h"', False),
    ("transport", '"congestion/dcqcn.h"', False),
    ("transport", '"ns3/nstime.h"', False),
    ("transport", '"engine/event.h"', False),
    ("switch", '"verbs/qp.h"', False),
    ("switch", '"link/port.h"', True),
    ("rnic", '"switch/marker.h"', False),
    ("rnic", '"congestion/congestion-control.h"', True),
    ("trace", '"rnic/rnic.h"', False),
    ("base", '"scenario/loader.h"', False),
    ("scenario", '"rnic/rnic.h"', True),
    ("wire", '"bth.h"', False),
    ("wire", "<vector>", True),
    ("misc", "<vector>", False),
])
def test_layering_finds(tmp_path, part, include, fine):
    write(tmp_path, f"model/{part}/a.h", f"#include {include}\n")
    assert (rules.layering(tmp_path) == []) == fine


@pytest.mark.parametrize("code, fine", [
    ("int x = rand();", False),
    ("srand(1);", False),
    ("std::random_device d;", False),
    ("auto t = std::chrono::steady_clock::now();", False),
    ("auto t = time(nullptr);", False),
    ("auto t = std::time(0);", False),
    ("auto t = event.time();", True),
    ("auto t = StartTime();", True),
    ("std::cout << 1;", False),
    ('printf("x");', False),
    ('std::snprintf(b, 2, "x");', True),
    ("packet->GetBuffer();", False),
    ("buffer = device.GetBuffer();", True),
    ("Time{5};", False),
    ("Time(0);", True),
    ("SimTime{5};", True),
    ("#if 0", False),
    ('#include "ns3/core-module.h"', False),
    ("// operand (a) of rand()", True),
    ('auto s = "rand()";', True),
    ("int separator = 1'000'000; int x = 2'000;", True),
    ("// TO" "DO later", False),
])
def test_banned_text_finds(tmp_path, code, fine):
    write(tmp_path, "model/base/a.cc", code + "\n")
    assert (rules.banned_text(tmp_path) == []) == fine


def test_printing_is_for_programs(tmp_path):
    write(tmp_path, "scenarios/rdmasim.cc", "std::cout << 1;\n")
    assert rules.banned_text(tmp_path) == []


def test_unordered_iteration_finds(tmp_path):
    write(tmp_path, "model/base/a.h", "std::unordered_map<int, std::vector<int>> m_byKey;\n")
    write(tmp_path, "model/base/a.cc", "for (auto& [k, v] : m_byKey)\n")
    write(tmp_path, "model/base/b.cc", "std::unordered_set<int> s;\nauto i = s.begin();\n")
    write(tmp_path, "model/base/c.cc", "std::unordered_set<int> s;\nauto i = s.find(1);\n"
                                       "std::map<int, int> m;\nfor (auto& e : m)\n")
    assert rules.unordered_iteration(tmp_path) == [
        "model/base/a.cc:1: iterates over m_byKey", "model/base/b.cc:2: iterates over s"]


SAMPLE = """\
namespace ns3::rdma
{

constexpr std::array<int, 2> TABLE{
    1,
    2,
};

enum class Kind : uint8_t
{
    A,
};

Thing::Thing(int a, std::map<int, int> b)
    : m_a{a},
      m_b(b)
{
    auto lambda = [&](int x) { return x; };
}

class Other
{
  public:
    void Inline(int a, int b, int c, int d, int e) const
    {
        if (a)
        {
            while (b)
            {
                for (;;)
                {
                    if (c)
                    {
                        return;
                    }
                }
            }
        }
    }

  private:
    int m_x{0};
};

void
Empty()
{
}

bool
Other::operator()(int a, int b) const
{
    return a < b;
}

} // namespace ns3::rdma
"""


def test_functions_are_found():
    found = {f.name: (f.lines, f.parameters, f.nesting) for f in rules.functions(SAMPLE)}
    assert found == {"Thing": (3, 2, 0), "Inline": (15, 5, 4), "Empty": (2, 0, 0),
                     "operator()": (3, 2, 0)}


def test_sizes_finds(tmp_path):
    body = "    f();\n" * 59
    write(tmp_path, "model/base/a.cc", f"void\nF()\n{{\n{body}}}\n\nvoid\nG()\n{{\n{body[9:]}}}\n")
    write(tmp_path, "model/base/b.h", "//\n" * 251)
    write(tmp_path, "model/base/c.cc", "//\n" * 501)
    write(tmp_path, "model/base/d.cc", SAMPLE)
    assert [(e.kind, e.file, e.subject, e.value) for e in rules.sizes(tmp_path)] == [
        ("function", "model/base/a.cc", "F", 61),  # 59 statements and two braces; G has 58
        ("header", "model/base/b.h", "-", 251),
        ("nesting", "model/base/d.cc", "Inline", 4),
        ("parameters", "model/base/d.cc", "Inline", 5),
        ("source", "model/base/c.cc", "-", 501),
    ]


def test_exceptions_only_shrink():
    found = [rules.Excess("source", "model/a.cc", "-", 600)]
    line = "source | model/a.cc | - | {} | one table\n"
    assert rules.unlisted(found, rules.listed_exceptions(line.format(600))) == []
    assert "limit 500" in rules.unlisted(found, [])[0]
    assert "limit 550" in rules.unlisted(found, rules.listed_exceptions(line.format(550)))[0]
    assert "lower" in rules.unlisted(found, rules.listed_exceptions(line.format(700)))[0]
    assert "remove" in rules.unlisted([], rules.listed_exceptions(line.format(600)))[0]
    with pytest.raises(ValueError, match="line 1"):
        rules.listed_exceptions("source | model/a.cc | - | 600 |\n")


def test_untested_finds(tmp_path):
    write(tmp_path, "model/base/a.cc", "")
    write(tmp_path, "model/base/b.cc", "")
    write(tmp_path, "model/base/c.cc", "")
    write(tmp_path, "model/base/d.cc", "")
    write(tmp_path, "tests/base/b-test.cc", "")
    write(tmp_path, "tests/base/c-test.cc", "")
    write(tmp_path, "model/base/f.cc", "")
    write(tmp_path, "model/base/g.cc", "")
    write(tmp_path, "tests/untested.txt", "model/base/c.cc has one\nmodel/base/d.cc a table\n"
                                          "model/base/gone.cc was here\nmodel/base/e.cc\n"
                                          "model/base/f.cc in tests/base/b-test.cc\n"
                                          "model/base/g.cc in tests/base/x-test.cc\n")
    findings = rules.untested(tmp_path)
    assert [f.split(":")[0] for f in findings] == [
        "model/base/e.cc", "model/base/g.cc", "model/base/a.cc", "model/base/c.cc",
        "model/base/gone.cc",
        "model/base/e.cc"]


def test_first_lines_finds(tmp_path):
    spdx = "SPDX-License-Identifier: GPL-2.0-only\n"
    write(tmp_path, "model/base/good.cc", "// " + spdx)
    write(tmp_path, "model/base/bad.cc", "\n// " + spdx)
    write(tmp_path, "run", "#!/usr/bin/env bash\n# " + spdx)
    write(tmp_path, "bad-run", "#!/usr/bin/env bash\nset -e\n")
    write(tmp_path, "notes.md", "plain\nd\u00e9j\u00e0\n")
    write(tmp_path, "build-x/bad.cc", "not looked at")
    assert rules.first_lines(tmp_path) == [
        "bad-run: the first line (after #!) is not the SPDX line",
        "model/base/bad.cc: the first line (after #!) is not the SPDX line",
        "notes.md:2: not ASCII"]


def test_companions_finds(tmp_path):
    write(tmp_path, "examples/a.cc", "")
    write(tmp_path, "examples/b.cc", "")
    write(tmp_path, "examples/b.expected", "")
    write(tmp_path, "scenarios/c.yaml", "name: c\n")
    write(tmp_path, "scenarios/d.yaml", "# short: --set duration=1ms\n")
    write(tmp_path, "scenarios/topologies/t.yaml", "")
    assert rules.companions(tmp_path) == ["examples/a.cc: no a.expected beside it",
                                          "scenarios/c.yaml: no line '# short: <options>'"]
