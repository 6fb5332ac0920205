# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# What scenarios/run, tests/run and .ci/run share: packages, builds, the choice of python3.
# Sourced after `set -euo pipefail`; sets TOP (the root of the tree) and INSTALL.

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# 1: install missing packages; 0: name them and stop (--no-install). Exported so that a script
# called by another keeps the choice.
export RDMASIM_INSTALL=${RDMASIM_INSTALL:-1}

# Debian packages, by purpose. This is the only list.
BUILD_PACKAGES=(cmake ninja-build g++ ccache libns3-dev libyaml-cpp-dev nlohmann-json3-dev
    libibverbs-dev librdmacm-dev)
PICTURE_PACKAGES=(python3 python3-numpy python3-pandas python3-matplotlib)
TEST_PACKAGES=(libgtest-dev libgmock-dev python3-pytest python3-jsonschema python3-yaml tshark
    chromium ibverbs-providers ibverbs-utils rdmacm-utils perftest)
CHECK_PACKAGES=(git clang-format shellcheck)

# Prints a line about what the script does, apart from the output of the tools it calls.
Say()
{
    printf '== %s\n' "$*"
}

# Ends the script; exit code 2 as for any input that cannot be used.
Refuse()
{
    printf "%s: %s\n" "${0#"$TOP/"}" "$*" >&2
    exit 2
}

# Makes sure that the packages named are installed. Debian's package database is the judge; on a
# system without it the build itself says what it cannot find.
NeedPackages()
{
    if ! command -v dpkg-query >/dev/null; then
        Say "not a Debian system: taking for granted what these packages bring: $*"
        return
    fi
    local package missing=()
    for package in "$@"; do
        local status
        status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
        [[ $status == installed ]] || missing+=("$package")
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0
    [[ $RDMASIM_INSTALL == 1 ]] || Refuse "missing packages (not installed: --no-install): ${missing[*]}"
    local asRoot=()
    if [[ $(id -u) != 0 ]]; then
        command -v sudo >/dev/null || Refuse "not root and no sudo; install: ${missing[*]}"
        asRoot=(sudo)
    fi
    Say "installing ${missing[*]}"
    local log
    log=$(mktemp)
    if ! { "${asRoot[@]}" apt-get update -q &&
        "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
            --no-install-recommends "${missing[@]}"; } </dev/null >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        Refuse "apt-get could not install: ${missing[*]}"
    fi
    rm -f "$log"
}

# Configures build folder $1 (relative to TOP) with the further CMake options; quiet unless it fails.
Configure()
{
    local folder=$1
    shift
    Say "configuring $folder"
    local log="$TOP/$folder/configure.log"
    mkdir -p "$TOP/$folder"
    if ! cmake -S "$TOP" -B "$TOP/$folder" -G Ninja "$@" >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
}

# Configures build folder $1 for tests: Debug keeps every assertion; optimised, because some tests
# simulate millions of packets.
ConfigureTests()
{
    Configure "$1" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1"
}

# Builds the targets named (all when none) in folder $1. Without a terminal ninja's progress, a line
# for each file, is shown only when the build fails.
Build()
{
    local folder=$1
    shift
    Say "building $folder"
    local command=(cmake --build "$TOP/$folder" --parallel "$(nproc)")
    [[ $# -eq 0 ]] || command+=(--target "$@")
    if [[ -t 1 ]]; then
        "${command[@]}"
        return
    fi
    local log="$TOP/$folder/build.log"
    if ! "${command[@]}" >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        return 1
    fi
}

# Prints the first python3 that can import all modules named; Debian's own comes after the one on
# PATH, which may be another without them.
FindPython()
{
    local candidate
    for candidate in python3 /usr/bin/python3; do
        if command -v "$candidate" >/dev/null &&
            "$candidate" -c "import ${*// /}" 2>/dev/null; then
            command -v "$candidate"
            return 0
        fi
    done
    Refuse "no python3 that can import: $*"
}
