// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/described-checker.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** The attribute value of an enum class; written by the names that its checker knows. */
template <typename E>
class ChoiceValue;

/** Takes the values of an enum class that have a name. */
template <typename E>
class ChoiceChecker : public TypedChecker<ChoiceValue<E>>
{
  public:
    using Names = std::vector<std::pair<E, std::string>>;

    explicit ChoiceChecker(Names names) : m_names{std::move(names)} {}

    const Names& GetChoices() const
    {
        return m_names;
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto* choice = dynamic_cast<const ChoiceValue<E>*>(&value);
        return choice != nullptr &&
               std::any_of(m_names.begin(),
                           m_names.end(),
                           [choice](const auto& name) { return name.first == choice->Get(); });
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::rdma::ChoiceValue";
    }

    DescribedChecker::Form GetForm() const override
    {
        return DescribedChecker::Form::CHOICE;
    }

    std::string GetRange() const override
    {
        return {};
    }

    std::vector<std::string> GetNames() const override
    {
        std::vector<std::string> names;
        for (const auto& [value, name] : m_names)
        {
            names.push_back(name);
        }
        return names;
    }

    Diagnostics CheckText(const std::string& text) const override
    {
        const auto names = GetNames();
        if (std::find(names.begin(), names.end(), text) != names.end())
        {
            return {};
        }
        Diagnostic diagnostic;
        diagnostic.message = "unknown name";
        diagnostic.got = text;
        diagnostic.nearest = NearestName(text, names);
        diagnostic.knownNames = names;
        return {diagnostic};
    }

  private:
    Names m_names;
};

template <typename E>
class ChoiceValue : public AttributeValue
{
  public:
    ChoiceValue() = default;

    ChoiceValue(E value) : m_value{value} {}

    void Set(E value)
    {
        m_value = value;
    }

    E Get() const
    {
        return m_value;
    }

    template <typename U>
    bool GetAccessor(U& value) const
    {
        value = U(m_value);
        return true;
    }

    Ptr<AttributeValue> Copy() const override
    {
        return ns3::Create<ChoiceValue>(*this);
    }

    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override
    {
        for (const auto& [value, name] :
             dynamic_cast<const ChoiceChecker<E>&>(*checker).GetChoices())
        {
            if (value == m_value)
            {
                return name;
            }
        }
        return {};
    }

    /** False, with the value unchanged, if the checker does not know the name. */
    bool DeserializeFromString(std::string text, Ptr<const AttributeChecker> checker) override
    {
        for (const auto& [value, name] :
             dynamic_cast<const ChoiceChecker<E>&>(*checker).GetChoices())
        {
            if (name == text)
            {
                m_value = value;
                return true;
            }
        }
        return false;
    }

  private:
    E m_value{};
};

template <typename E, typename... A>
Ptr<const AttributeAccessor>
MakeChoiceAccessor(A... a)
{
    return MakeAccessorHelper<ChoiceValue<E>>(a...);
}

/** MakeChoiceChecker<Place>({{Place::ENQUEUE, "enqueue"}, {Place::DEQUEUE, "dequeue"}}) */
template <typename E>
Ptr<const AttributeChecker>
MakeChoiceChecker(typename ChoiceChecker<E>::Names names)
{
    return Ptr<const AttributeChecker>(new ChoiceChecker<E>(std::move(names)), false);
}

} // namespace ns3::rdma
