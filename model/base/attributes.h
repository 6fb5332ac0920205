// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/choice-attribute.h"
#include "base/described-checker.h"
#include "base/quantity.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/*
 * Attributes with units: SimTimeValue, ByteCountValue, BitRateValue, FractionValue, each with its
 * Make...Accessor and Make...Checker as ns-3's own; ChoiceValue for enum classes.
 */

/** The attribute value of a SimTime, ByteCount, BitRate or Fraction; written with its unit. */
template <typename T>
class QuantityValue : public AttributeValue
{
  public:
    QuantityValue() = default;

    QuantityValue(const T& value) : m_value{value} {}

    void Set(const T& value)
    {
        m_value = value;
    }

    T Get() const
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
        return ns3::Create<QuantityValue>(*this);
    }

    std::string SerializeToString(Ptr<const AttributeChecker>) const override
    {
        return ToString(m_value);
    }

    /** False, with the value unchanged, if the text is not a quantity of this kind. */
    bool DeserializeFromString(std::string text, Ptr<const AttributeChecker>) override
    {
        const auto value = ParseQuantity<T>(text);
        if (value)
        {
            m_value = *value;
        }
        return value.HasValue();
    }

  private:
    T m_value{};
};

/** Whether an upper bound only says that the type ends there; shown as no bound. */
constexpr bool
IsOpenEnd(SimTime maximum)
{
    return maximum.ps >= SimTime::Never().ps - 1;
}

constexpr bool
IsOpenEnd(ByteCount maximum)
{
    return maximum.value >= INT64_MAX;
}

constexpr bool
IsOpenEnd(BitRate maximum)
{
    return maximum.bps >= INT64_MAX;
}

constexpr bool
IsOpenEnd(Fraction maximum)
{
    return maximum.numerator >= INT64_MAX;
}

/** Takes quantities of one kind between two bounds, both allowed. */
template <typename T>
class QuantityChecker : public TypedChecker<QuantityValue<T>>
{
  public:
    using Form = DescribedChecker::Form;

    QuantityChecker(T minimum, T maximum) : m_minimum{minimum}, m_maximum{maximum} {}

    bool Check(const AttributeValue& value) const override
    {
        const auto* quantity = dynamic_cast<const QuantityValue<T>*>(&value);
        return quantity != nullptr && IsInRange(quantity->Get());
    }

    std::string GetValueTypeName() const override;
    Form GetForm() const override;

    std::string GetRange() const override
    {
        if (!IsOpenEnd(m_maximum))
        {
            return ToString(m_minimum) + " .. " + ToString(m_maximum);
        }
        return m_minimum == T{} ? "" : "at least " + ToString(m_minimum);
    }

    std::vector<std::string> GetNames() const override
    {
        return {};
    }

    Diagnostics CheckText(const std::string& text) const override
    {
        const auto value = ParseQuantity<T>(text);
        if (!value)
        {
            return value.Errors();
        }
        if (IsInRange(*value))
        {
            return {};
        }
        Diagnostic diagnostic;
        diagnostic.message = "out of range";
        diagnostic.got = text;
        diagnostic.expected = ToString(m_minimum) + " .. " + ToString(m_maximum);
        return {diagnostic};
    }

  private:
    bool IsInRange(const T& value) const
    {
        return m_minimum <= value && value <= m_maximum;
    }

    T m_minimum;
    T m_maximum;
};

template <>
std::string QuantityChecker<SimTime>::GetValueTypeName() const;
template <>
std::string QuantityChecker<ByteCount>::GetValueTypeName() const;
template <>
std::string QuantityChecker<BitRate>::GetValueTypeName() const;
template <>
std::string QuantityChecker<Fraction>::GetValueTypeName() const;
template <>
DescribedChecker::Form QuantityChecker<SimTime>::GetForm() const;
template <>
DescribedChecker::Form QuantityChecker<ByteCount>::GetForm() const;
template <>
DescribedChecker::Form QuantityChecker<BitRate>::GetForm() const;
template <>
DescribedChecker::Form QuantityChecker<Fraction>::GetForm() const;

using SimTimeValue = QuantityValue<SimTime>;
using ByteCountValue = QuantityValue<ByteCount>;
using BitRateValue = QuantityValue<BitRate>;
using FractionValue = QuantityValue<Fraction>;

/** As ns-3's accessors: a member, a setter and a getter, or a getter alone. */
template <typename... A>
Ptr<const AttributeAccessor>
MakeSimTimeAccessor(A... a)
{
    return MakeAccessorHelper<SimTimeValue>(a...);
}

template <typename... A>
Ptr<const AttributeAccessor>
MakeByteCountAccessor(A... a)
{
    return MakeAccessorHelper<ByteCountValue>(a...);
}

template <typename... A>
Ptr<const AttributeAccessor>
MakeBitRateAccessor(A... a)
{
    return MakeAccessorHelper<BitRateValue>(a...);
}

template <typename... A>
Ptr<const AttributeAccessor>
MakeFractionAccessor(A... a)
{
    return MakeAccessorHelper<FractionValue>(a...);
}

/** Any time but "never". */
Ptr<const AttributeChecker> MakeSimTimeChecker();
/** From minimum to maximum, both allowed; "never" only if that is the maximum. */
Ptr<const AttributeChecker> MakeSimTimeChecker(SimTime minimum,
                                               SimTime maximum = SimTime{SimTime::Never().ps - 1});

Ptr<const AttributeChecker> MakeByteCountChecker();
Ptr<const AttributeChecker> MakeByteCountChecker(ByteCount minimum,
                                                 ByteCount maximum = {UINT64_MAX});

Ptr<const AttributeChecker> MakeBitRateChecker();
Ptr<const AttributeChecker> MakeBitRateChecker(BitRate minimum, BitRate maximum = {UINT64_MAX});

/** From 0 to 1. */
Ptr<const AttributeChecker> MakeFractionChecker();
Ptr<const AttributeChecker> MakeFractionChecker(Fraction minimum, Fraction maximum);

} // namespace ns3::rdma
