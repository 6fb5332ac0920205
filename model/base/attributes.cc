// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"

namespace ns3::rdma
{

namespace
{

template <typename T>
Ptr<const AttributeChecker>
Make(T minimum, T maximum)
{
    return Ptr<const AttributeChecker>(new QuantityChecker<T>(minimum, maximum), false);
}

constexpr SimTime LAST_TIME{SimTime::Never().ps - 1};
constexpr uint64_t MOST = UINT64_MAX;

} // namespace

template <>
std::string
QuantityChecker<SimTime>::GetValueTypeName() const
{
    return "ns3::rdma::SimTimeValue";
}

template <>
std::string
QuantityChecker<ByteCount>::GetValueTypeName() const
{
    return "ns3::rdma::ByteCountValue";
}

template <>
std::string
QuantityChecker<BitRate>::GetValueTypeName() const
{
    return "ns3::rdma::BitRateValue";
}

template <>
std::string
QuantityChecker<Fraction>::GetValueTypeName() const
{
    return "ns3::rdma::FractionValue";
}

template <>
DescribedChecker::Form
QuantityChecker<SimTime>::GetForm() const
{
    return Form::TIME;
}

template <>
DescribedChecker::Form
QuantityChecker<ByteCount>::GetForm() const
{
    return Form::BYTES;
}

template <>
DescribedChecker::Form
QuantityChecker<BitRate>::GetForm() const
{
    return Form::RATE;
}

template <>
DescribedChecker::Form
QuantityChecker<Fraction>::GetForm() const
{
    return Form::FRACTION;
}

Ptr<const AttributeChecker>
MakeSimTimeChecker()
{
    return Make(SimTime{}, LAST_TIME);
}

Ptr<const AttributeChecker>
MakeSimTimeChecker(SimTime minimum, SimTime maximum)
{
    return Make(minimum, maximum);
}

Ptr<const AttributeChecker>
MakeByteCountChecker()
{
    return Make(ByteCount{}, ByteCount{MOST});
}

Ptr<const AttributeChecker>
MakeByteCountChecker(ByteCount minimum, ByteCount maximum)
{
    return Make(minimum, maximum);
}

Ptr<const AttributeChecker>
MakeBitRateChecker()
{
    return Make(BitRate{}, BitRate{MOST});
}

Ptr<const AttributeChecker>
MakeBitRateChecker(BitRate minimum, BitRate maximum)
{
    return Make(minimum, maximum);
}

Ptr<const AttributeChecker>
MakeFractionChecker()
{
    return Make(Fraction{0, 1}, Fraction{1, 1});
}

Ptr<const AttributeChecker>
MakeFractionChecker(Fraction minimum, Fraction maximum)
{
    return Make(minimum, maximum);
}

} // namespace ns3::rdma
