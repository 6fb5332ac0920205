// SPDX-License-Identifier: GPL-2.0-only
#include "base/described-checker.h"

namespace ns3::rdma
{

bool
DescribedChecker::HasUnderlyingTypeInformation() const
{
    return true;
}

std::string
DescribedChecker::GetUnderlyingTypeInformation() const
{
    if (GetForm() != Form::CHOICE)
    {
        return GetRange();
    }
    std::string text;
    for (const std::string& name : GetNames())
    {
        text += (text.empty() ? "" : "|") + name;
    }
    return text;
}

} // namespace ns3::rdma
