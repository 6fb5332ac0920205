# SPDX-License-Identifier: GPL-2.0-only
"""The rules of the tree as functions: each takes the root of a tree and returns its findings.

A finding is one line that begins with the file. No rule asks git: a tree without history, or one
made by a test, is judged alike.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

# What each part of model/ may include, besides itself. Arrows point down only; a part that is not
# listed here may include nothing and may not exist.
_DEVICES = {"base", "engine", "wire", "verbs", "congestion", "transport", "iwarp", "link",
            "infiniband", "host"}
_PARTS = _DEVICES | {"rnic", "switch", "topology", "tracefile", "workload", "trace", "stack"}
ALLOWED = {
    "base": set(),
    "engine": {"base"},
    "wire": {"base", "engine"},
    "verbs": {"base", "engine"},
    "congestion": {"base", "engine"},
    "transport": {"base", "wire", "verbs"},
    "iwarp": {"base", "wire", "verbs"},
    "link": {"base", "engine", "wire"},
    "infiniband": {"base", "engine", "wire"},
    "host": {"base", "engine"},
    "rnic": _DEVICES,
    "switch": {"base", "engine", "wire", "link", "infiniband"},
    "topology": {"base"},
    "tracefile": {"base"},
    # A generator draws from a seeded stream and sees which hosts there are, and how fast; readers
    # of traces take packets of captures apart.
    "workload": {"base", "engine", "wire", "verbs", "topology", "tracefile"},
    "trace": {"base", "wire", "verbs"},
    # ns-3's own IP stack over the interfaces, and applications that use it.
    "stack": _DEVICES | {"rnic", "topology", "workload"},
    "scenario": _PARTS,
    "live": _PARTS,
    # Instruments see everything; nobody includes them: they are found by their names.
    "instrument": _PARTS | {"scenario"},
}

# Parts that are plain values: no ns-3 header.
WITHOUT_NS3 = {"transport", "iwarp", "tracefile"}

# Text that may not stand in C++ code (comments and strings are not looked at): pattern, where
# ("model" or "all"), why.
BANNED = [
    (r"\bs?rand\s*\(", "all", "randomness comes from a seeded stream"),
    (r"\brandom_device\b", "all", "randomness comes from a seeded stream"),
    (r"\bstd::chrono\b", "model", "no wall clock in the model"),
    (r"(?<![\w.>:])(std::|::)?time\s*\(\s*(NULL|nullptr|0|&\w+)?\s*\)", "all", "no wall clock"),
    (r"\bstd::c(out|err)\b", "model", "the model does not print"),
    (r"(?<!\w)(printf|puts)\s*\(|\bfprintf\s*\(\s*std(out|err)\b", "model",
     "the model does not print"),
    (r"\b(packet|pkt|p)(->|\.)GetBuffer\s*\(", "model", "bytes are read through a span"),
    (r"(?<!\w)Time\s*[{(]\s*(?!0\s*[)}])\d", "all", "a time needs a unit"),
    (r"#\s*if\s+0\b", "all", "no dead code"),
    (r"ns3/[a-z-]+-module\.h", "all", "single headers: core-module.h does not compile as C++20"),
]
# Text that may stand nowhere, comments included; spelled so that this file passes.
BANNED_WORDS = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]

LIMITS = {"function": 60, "source": 500, "header": 250, "parameters": 4, "nesting": 3}

_SKIPPED_FOLDERS = re.compile(r"build.*|results|__pycache__|\.(?!ci$).*")
_SPDX = "SPDX-License-Identifier: GPL-2.0-only"
_NEEDS_SPDX = {".cc", ".h", ".py", ".sh"}
_BINARY = {".png", ".pcap", ".pcapng", ".svg", ".gz", ".pdf", ".rdt", ".bin"}


@dataclass(frozen=True)
class Excess:
    """Something larger than its limit: its kind (a key of LIMITS), file, name and size."""

    kind: str
    file: str
    subject: str
    value: int


def files(root, *suffixes, under=""):
    """All files of the tree with one of the suffixes (all when none), sorted, relative to root."""
    found = []
    for folder, folders, names in os.walk(Path(root) / under):
        folders[:] = [name for name in folders if not _SKIPPED_FOLDERS.fullmatch(name)]
        found += [Path(folder, name).relative_to(root) for name in names
                  if not suffixes or Path(name).suffix in suffixes]
    return sorted(found)


def read(root, file):
    """The text of a file; bytes that are not UTF-8 become replacement characters."""
    return (Path(root) / file).read_text(encoding="utf-8", errors="replace")


_LITERAL = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)\""
    r"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.S)


def code_only(text):
    """C++ text with comments blanked and literals emptied; line numbers stay."""
    def blank(match):
        part = match.group(0)
        empty = "" if part.startswith("/") else '""' if part[-1] == '"' else "' '"
        return empty + "\n" * part.count("\n")
    return _LITERAL.sub(blank, text)


def line_of(text, position):
    """The number of the line, from 1, in which a position lies."""
    return text.count("\n", 0, position) + 1


def layering(root):
    """Includes in model/ that point anywhere but down."""
    findings = []
    for file in files(root, ".cc", ".h", under="model"):
        part = file.parts[1]
        if part not in ALLOWED:
            findings.append(f"{file}: unknown part '{part}'")
            continue
        text = read(root, file)
        for match in re.finditer(r'^\s*#\s*include\s*[<"]([^">]+)[">]', text, re.M):
            where = f"{file}:{line_of(text, match.start(1))}"
            target = match.group(1).split("/")[0]
            if target == "ns3" and part in WITHOUT_NS3:
                findings.append(f"{where}: {part} is plain values, without ns-3: {match.group(1)}")
            elif target in ALLOWED and target != part and target not in ALLOWED[part]:
                findings.append(f"{where}: {part} may not include {match.group(1)}")
            elif '"' in match.group(0) and "/" not in match.group(1):
                findings.append(f"{where}: include by folder: {match.group(1)}")
    return findings


def banned_text(root):
    """Banned constructs in C++ files, and banned words in any text file."""
    findings = []
    for file in files(root, ".cc", ".h"):
        code = code_only(read(root, file))
        for pattern, where, reason in BANNED:
            if where == "model" and file.parts[0] != "model":
                continue
            # Includes are literals: the rule about headers reads the text itself.
            text = read(root, file) if pattern.startswith("ns3/") else code
            for match in re.finditer(pattern, text):
                findings.append(f"{file}:{line_of(text, match.start())}: "
                                f"'{match.group(0).strip()}': {reason}")
    for file in files(root):
        if file.suffix in _BINARY:
            continue
        text = read(root, file)
        for word in BANNED_WORDS:
            if word in text:
                findings.append(f"{file}:{line_of(text, text.index(word))}: '{word}'")
    return findings


def unordered_iteration(root):
    """Loops over unordered containers in model/, whose order is that of a hash or an address."""
    findings = []
    declared = re.compile(r"unordered_(?:multi)?(?:map|set)\s*<[^;]*>\s+(\w+)\s*[;{=]")
    for file in files(root, ".cc", ".h", under="model"):
        code = code_only(read(root, file))
        header = file.with_suffix(".h")
        names = set(declared.findall(code))
        if (Path(root) / header).exists():
            names |= set(declared.findall(code_only(read(root, header))))
        for name in sorted(names):
            for match in re.finditer(rf":\s*(?:\w+(?:\.|->))*{name}\s*\)|\b{name}\.c?begin\s*\(",
                                     code):
                findings.append(f"{file}:{line_of(code, match.start())}: iterates over {name}")
    return findings


@dataclass(frozen=True)
class Function:
    """A function definition: name, line of its opening brace, lines, parameters, nesting."""

    name: str
    line: int
    lines: int
    parameters: int
    nesting: int


def _parameter_count(head):
    """The number of parameters in the text before a function's body."""
    head = head.replace("operator()", "operator_call")
    start = head.find("(")
    depth = 0
    count = 0
    for position in range(start, len(head)):
        character = head[position]
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and head[position - 1] != "-"):
            depth -= 1
            if depth == 0:
                break
        elif character == "," and depth == 1:
            count += 1
    inside = head[start + 1:position].strip()
    return 0 if inside in ("", "void") else count + 1


def functions(text):
    """The function definitions in C++ text laid out as .clang-format does.

    There a block's opening brace stands first in its line, except that of a lambda; whatever brace
    stands elsewhere is an initializer or a lambda and counts for nothing.
    """
    code = re.sub(r"^[ \t]*#.*(?:\\\n.*)*", "", code_only(text), flags=re.M)
    found = []
    blocks = []  # of each open brace: "scope", "function", "block" or "inline"
    function = None
    statement = 0
    for match in re.finditer(r"[{};]", code):
        position = match.start()
        if match.group(0) == ";":
            if "inline" not in blocks:
                statement = position + 1
            continue
        if match.group(0) == "}":
            kind = blocks.pop() if blocks else "scope"
            if kind == "function":
                head, line, nesting = function
                name = re.search(r"(operator\s*\S+?|~?\w+)\s*\(", head).group(1)
                found.append(Function(name, line, line_of(code, position) - line + 1,
                                      _parameter_count(head), nesting))
                function = None
            if kind != "inline":
                statement = position + 1
            continue
        head = re.sub(r"\b(public|protected|private)\s*:", "", code[statement:position]).strip()
        own_line = code[code.rfind("\n", 0, position) + 1:position].strip() == ""
        if not own_line:
            blocks.append("inline")
        elif function:
            blocks.append("block")
            depth = blocks.count("block")
            function = (*function[:2], max(function[2], depth))
        elif "(" in head and not re.match(r"(template\s*<[^()]*>\s*)?(class|struct|enum|union|"
                                          r"namespace)\b", head) and not re.search(
                                              r"[\w\])]\s=\s*$", head):
            blocks.append("function")
            function = (head, line_of(code, position), 0)
        else:
            blocks.append("scope")
        if blocks[-1] != "inline":
            statement = position + 1
    return found


def sizes(root):
    """Everything in model/ and scenarios/ above LIMITS."""
    found = []
    for file in files(root, ".cc", ".h", under="model") + files(root, ".cc", under="scenarios"):
        text = read(root, file)
        kind = "source" if file.suffix == ".cc" else "header"
        lines = text.count("\n")
        if lines > LIMITS[kind]:
            found.append(Excess(kind, str(file), "-", lines))
        for function in functions(text):
            for kind, value in (("function", function.lines), ("parameters", function.parameters),
                                ("nesting", function.nesting)):
                if value > LIMITS[kind]:
                    found.append(Excess(kind, str(file), function.name, value))
    # Overloads share a name: the largest speaks for all.
    largest = {}
    for excess in found:
        key = (excess.kind, excess.file, excess.subject)
        if key not in largest or largest[key].value < excess.value:
            largest[key] = excess
    return sorted(largest.values(), key=lambda e: (e.kind, e.file, e.subject))


def listed_exceptions(text):
    """Reads a list of exceptions, a line each: kind | file | subject | size | reason."""
    listed = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != 5 or cells[0] not in LIMITS or not cells[3].isdigit() or not cells[4]:
            raise ValueError(f"line {number}: got '{line}', "
                             f"expected kind | file | subject | size | reason")
        listed.append(Excess(cells[0], cells[1], cells[2], int(cells[3])))
    return listed


def unlisted(found, listed):
    """What is above its limit and not listed, and what is listed larger than it is."""
    allowed = {(e.kind, e.file, e.subject): e.value for e in listed}
    findings = []
    for excess in found:
        value = allowed.pop((excess.kind, excess.file, excess.subject), None)
        if value is None or excess.value > value:
            findings.append(f"{excess.file}: {excess.kind} {excess.subject}: {excess.value} "
                            f"(limit {value or LIMITS[excess.kind]})")
        elif excess.value < value:
            findings.append(f"{excess.file}: {excess.kind} {excess.subject}: shrunk from {value} "
                            f"to {excess.value}: lower the exception")
    findings += [f"{file}: {kind} {subject}: no longer an exception: remove the line"
                 for kind, file, subject in allowed]
    return findings


def untested(root):
    """Sources of model/ without a test file of their name that tests/untested.txt does not explain.

    A reason that begins with "in tests/..." names the file whose tests cover the source.
    """
    reasons = {}
    findings = []
    listing = Path(root) / "tests/untested.txt"
    for line in listing.read_text().splitlines() if listing.exists() else []:
        if not line.strip() or line.startswith("#"):
            continue
        file, _, reason = line.partition(" ")
        reasons[file] = reason.strip()
        if not reason.strip():
            findings.append(f"{file}: tests/untested.txt gives no reason")
        for cover in re.findall(r"\btests/[\w./-]+", reason):
            if not (Path(root) / cover).is_file():
                findings.append(f"{file}: tests/untested.txt names {cover}: no such file")
    for file in files(root, ".cc", under="model"):
        test = Path("tests", *file.parts[1:-1], file.stem + "-test.cc")
        has_test = (Path(root) / test).exists()
        if str(file) in reasons:
            del reasons[str(file)]
            if has_test:
                findings.append(f"{file}: has a test; remove it from tests/untested.txt")
        elif not has_test:
            findings.append(f"{file}: no {test}, and not in tests/untested.txt")
    findings += [f"{file}: in tests/untested.txt, but there is no such file" for file in reasons]
    return findings


def first_lines(root):
    """Files without the licence line, and files that are not ASCII."""
    findings = []
    for file in files(root):
        if file.suffix in _BINARY:
            continue
        data = (Path(root) / file).read_bytes()
        lines = data.split(b"\n", 2)
        script = data.startswith(b"#!")
        if script or file.suffix in _NEEDS_SPDX or file.name == "CMakeLists.txt":
            line = lines[1] if script and len(lines) > 1 else lines[0]
            if _SPDX.encode() not in line:
                findings.append(f"{file}: the first line (after #!) is not the SPDX line")
        if not data.isascii():
            number = next(n for n, line in enumerate(data.split(b"\n"), 1) if not line.isascii())
            findings.append(f"{file}:{number}: not ASCII")
    return findings


def companions(root):
    """Examples without expected output and scenarios without a short form."""
    findings = [f"{file}: no {file.with_suffix('.expected').name} beside it"
                for file in files(root, ".cc", under="examples")
                if not (Path(root) / file.with_suffix(".expected")).exists()]
    findings += [f"{file}: no line '# short: <options>'"
                 for file in files(root, ".yaml", under="scenarios")
                 if len(file.parts) == 2
                 and not re.search(r"^# short: *\S", read(root, file), re.M)]
    return findings
