// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"

#include <map>

namespace ns3::rdma
{

namespace
{

/** Inside a function, because objects of other files fill it before main. */
std::map<std::string, std::string>&
Texts()
{
    static std::map<std::string, std::string> texts;
    return texts;
}

} // namespace

ComponentHelp::ComponentHelp(std::string_view typeName, std::string_view text)
{
    Texts()[std::string{typeName}] = text;
}

std::string
ComponentHelp::Find(const std::string& typeName)
{
    const auto found = Texts().find(typeName);
    return found == Texts().end() ? "" : found->second;
}

} // namespace ns3::rdma
