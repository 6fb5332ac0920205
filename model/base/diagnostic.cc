// SPDX-License-Identifier: GPL-2.0-only
#include "base/diagnostic.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ns3::rdma
{

namespace
{

/** Insertions, deletions, substitutions and swaps of neighbours that turn one name into another. */
size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
    std::iota(cost[0].begin(), cost[0].end(), size_t{0});
    for (size_t i = 1; i <= a.size(); i++)
    {
        cost[i][0] = i;
        for (size_t j = 1; j <= b.size(); j++)
        {
            const size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            cost[i][j] =
                std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
            const bool isSwap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            cost[i][j] = isSwap ? std::min(cost[i][j], cost[i - 2][j - 2] + 1) : cost[i][j];
        }
    }
    return cost[a.size()][b.size()];
}

std::string
Join(const std::vector<std::string>& names)
{
    std::string text;
    for (const auto& name : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

} // namespace

std::string
ToString(const Diagnostic& diagnostic)
{
    std::string text = diagnostic.file;
    if (diagnostic.line > 0)
    {
        text += ":" + std::to_string(diagnostic.line);
    }
    for (const std::string& part : {diagnostic.key, diagnostic.message})
    {
        text += part.empty() ? "" : (text.empty() ? "" : ": ") + part;
    }
    text += diagnostic.got.empty() ? "" : "; got '" + diagnostic.got + "'";
    text += diagnostic.expected.empty() ? "" : "; expected " + diagnostic.expected;
    if (!diagnostic.nearest.empty())
    {
        text += "; did you mean '" + diagnostic.nearest + "'?";
    }
    if (!diagnostic.knownNames.empty())
    {
        text += " (known: " + Join(diagnostic.knownNames) + ")";
    }
    return text;
}

std::string
ToString(Diagnostics diagnostics)
{
    const auto place = [](const Diagnostic& d) { return std::tie(d.file, d.line, d.key); };
    std::stable_sort(diagnostics.begin(),
                     diagnostics.end(),
                     [&place](const Diagnostic& a, const Diagnostic& b)
                     { return place(a) < place(b); });
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics)
    {
        text += ToString(diagnostic) + "\n";
    }
    return text;
}

std::string
NearestName(const std::string& name, const std::vector<std::string>& known)
{
    // A third of the letters may be wrong; beyond that a proposal confuses more than it helps.
    size_t best = std::max<size_t>(1, name.size() / 3) + 1;
    std::string nearest;
    for (const std::string& candidate : known)
    {
        const size_t distance = EditDistance(name, candidate);
        if (distance < best)
        {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

} // namespace ns3::rdma
