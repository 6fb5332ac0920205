// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/described-checker.h"

#include "ns3/string.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * Describes a StringValue that holds one of a list of names, for messages, lists and schemas.
 *
 * Any string can be set by a program; the class that has the attribute judges what it was given.
 */
class NameChecker : public TypedChecker<StringValue>
{
  public:
    explicit NameChecker(std::vector<std::string> names) : m_names{std::move(names)} {}

    bool Check(const AttributeValue& value) const override
    {
        return dynamic_cast<const StringValue*>(&value) != nullptr;
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::StringValue";
    }

    Form GetForm() const override
    {
        return Form::CHOICE;
    }

    std::string GetRange() const override
    {
        return {};
    }

    std::vector<std::string> GetNames() const override
    {
        return m_names;
    }

    Diagnostics CheckText(const std::string& text) const override
    {
        if (std::find(m_names.begin(), m_names.end(), text) != m_names.end())
        {
            return {};
        }
        Diagnostic diagnostic;
        diagnostic.message = "unknown name";
        diagnostic.got = text;
        diagnostic.nearest = NearestName(text, m_names);
        diagnostic.knownNames = m_names;
        return {diagnostic};
    }

  private:
    std::vector<std::string> m_names;
};

/** MakeNameChecker({"standard", "rxe"}) */
inline Ptr<const AttributeChecker>
MakeNameChecker(std::vector<std::string> names)
{
    return Ptr<const AttributeChecker>(new NameChecker(std::move(names)), false);
}

} // namespace ns3::rdma
