// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/options.h"
#include "tests/conformance/verdict.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace
{

using namespace ns3::rdma;
namespace fs = std::filesystem;

const char* const USAGE =
    "usage: conformance --dir FOLDER [--exceptions FILE] [NAME ...]\n"
    "       conformance --dir FOLDER --print POLICY NAME\n"
    "Compares the model with the captures of a folder's descriptions "
    "(tests/conformance/README.md),\n"
    "or prints what the model does. The exit code is 0 only if nothing differs.\n";

std::vector<fs::path>
FindDescriptions(const fs::path& folder, const std::vector<std::string>& names)
{
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder})
    {
        const fs::path& file = entry.path();
        const bool isWanted =
            names.empty() || std::find(names.begin(), names.end(), file.stem()) != names.end();
        if (file.extension() == ".yaml" && file.filename() != "exceptions.yaml" && isWanted)
        {
            files.push_back(file);
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

Verdict
CompareFile(const fs::path& file, const Exceptions& exceptions)
{
    const Expected<Description> description = ReadDescription(file);
    return description ? Compare(*description, exceptions)
                       : Verdict{Outcome::DIFFERS, {}, ToString(description.Errors().front())};
}

int
CompareAll(const std::vector<fs::path>& files, const Exceptions& exceptions)
{
    std::array<std::size_t, 3> totals{};
    for (const fs::path& file : files)
    {
        const Verdict verdict = CompareFile(file, exceptions);
        ++totals[static_cast<std::size_t>(verdict.outcome)];
        std::cout << ToString(file.stem().string(), verdict) << "\n";
    }
    const auto& [matched, differing, excepted] = totals;
    std::cout << "total: " << files.size() << " descriptions, " << matched << " matched, "
              << differing << " differ, " << excepted << " excepted\n";
    return differing == 0 && !files.empty() ? 0 : 1;
}

int
Print(const std::vector<fs::path>& files, const std::string& policy)
{
    for (const fs::path& file : files)
    {
        const Expected<Description> description = ReadDescription(file);
        const Expected<std::string> text = description
                                               ? PrintModel(*description, policy)
                                               : Expected<std::string>{description.Errors()};
        std::cout << (text ? *text : ToString(text.Errors()));
    }
    return 0;
}

} // namespace

int
main(int argc, char** argv)
{
    const Expected<Options> options =
        Options::Parse({argv + 1, argv + argc},
                       {.withValue = {"--dir", "--exceptions", "--print"}, .flags = {"--help"}});
    if (!options || options->Has("--help") || !fs::is_directory(options->GetText("--dir", "")))
    {
        std::cout << USAGE;
        return 2;
    }
    const fs::path folder = options->GetText("--dir", "");
    const std::vector<fs::path> files = FindDescriptions(folder, options->GetOperands());
    if (options->Has("--print"))
    {
        return Print(files, options->GetText("--print", ""));
    }
    const Expected<Exceptions> exceptions =
        ReadExceptions(options->GetText("--exceptions", (folder / "exceptions.yaml").string()));
    if (!exceptions)
    {
        std::cout << ToString(exceptions.Errors());
        return 2;
    }
    return CompareAll(files, *exceptions);
}
