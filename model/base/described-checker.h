// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include "ns3/attribute-accessor-helper.h"
#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * A checker that can say in words what it takes, for messages, lists and schemas.
 *
 * All checkers of this file are of this kind; ns-3's own are described from their type names.
 */
class DescribedChecker : public AttributeChecker
{
  public:
    /** What kind of text a value is written as. */
    enum class Form
    {
        TIME,
        BYTES,
        RATE,
        FRACTION,
        CHOICE,
    };

    virtual Form GetForm() const = 0;

    /** "10Mbps .. 1.6Tbps"; empty without a range. */
    virtual std::string GetRange() const = 0;

    /** All names of a choice; empty for a quantity. */
    virtual std::vector<std::string> GetNames() const = 0;

    /**
     * Checks a value as a user writes it, range included.
     *
     * @return all that is wrong, without file, line and key; empty if the text is right
     */
    virtual Diagnostics CheckText(const std::string& text) const = 0;

    bool HasUnderlyingTypeInformation() const override;
    std::string GetUnderlyingTypeInformation() const override;
};

/** Creation and copy of values of one type, common to all checkers of this file. */
template <typename VALUE>
class TypedChecker : public DescribedChecker
{
  public:
    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<VALUE>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto* from = dynamic_cast<const VALUE*>(&source);
        auto* to = dynamic_cast<VALUE*>(&destination);
        if (from == nullptr || to == nullptr)
        {
            return false;
        }
        *to = *from;
        return true;
    }
};

} // namespace ns3::rdma
