// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/options.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

bool
Holds(const std::vector<std::string>& list, const std::string& word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

Diagnostic
Unknown(const std::string& option, const OptionTable& table)
{
    Diagnostic diagnostic;
    diagnostic.message = "not an option that is known";
    diagnostic.got = option;
    diagnostic.knownNames = table.withValue;
    diagnostic.knownNames.insert(
        diagnostic.knownNames.end(), table.flags.begin(), table.flags.end());
    return diagnostic;
}

} // namespace

Expected<Options>
Options::Parse(const std::vector<std::string>& words, const OptionTable& table)
{
    Options options;
    for (std::size_t at = 0; at < words.size(); ++at)
    {
        const std::string& word = words[at];
        const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
        const std::string name = word.substr(0, equals);
        if (word.size() < 2 || word[0] != '-')
        {
            options.m_operands.push_back(word);
        }
        else if (Holds(table.flags, word))
        {
            options.m_values[word] = "";
        }
        else if (Holds(table.withValue, name) && equals != std::string::npos)
        {
            options.m_values[name] = word.substr(equals + 1);
        }
        else if (Holds(table.withValue, word) && at + 1 < words.size())
        {
            options.m_values[word] = words[++at];
        }
        else if (word[1] != '-' && Holds(table.withValue, word.substr(0, 2)) && word.size() > 2)
        {
            options.m_values[word.substr(0, 2)] = word.substr(2);
        }
        else
        {
            return Unknown(word, table);
        }
    }
    return options;
}

bool
Options::Has(const std::string& option) const
{
    return m_values.contains(option);
}

std::string
Options::GetText(const std::string& option, const std::string& fallback) const
{
    const auto value = m_values.find(option);
    return value == m_values.end() ? fallback : value->second;
}

uint64_t
Options::GetNumber(const std::string& option, uint64_t fallback) const
{
    return Has(option) ? std::strtoull(GetText(option, "").c_str(), nullptr, 0) : fallback;
}

} // namespace ns3::rdma
