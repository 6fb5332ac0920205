// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"

#include "ns3/object.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

enum class Place
{
    FRONT,
    BACK,
};

/** An object with one attribute of each kind, as a component would have them. */
class AttributeSample : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::AttributeSample")
                .SetParent<Object>()
                .AddConstructor<AttributeSample>()
                .AddAttribute("Delay",
                              "A time",
                              SimTimeValue(SimTime::Microseconds(1)),
                              MakeSimTimeAccessor(&AttributeSample::m_delay),
                              MakeSimTimeChecker(SimTime{}, SimTime::Milliseconds(100)))
                .AddAttribute(
                    "Size",
                    "Bytes",
                    ByteCountValue(ByteCount{1000}),
                    MakeByteCountAccessor(&AttributeSample::SetSize, &AttributeSample::GetSize),
                    MakeByteCountChecker())
                .AddAttribute("Rate",
                              "A rate",
                              BitRateValue(BitRate::Gbps(100)),
                              MakeBitRateAccessor(&AttributeSample::m_rate),
                              MakeBitRateChecker(BitRate::Mbps(10)))
                .AddAttribute("Gain",
                              "A fraction",
                              FractionValue(Fraction{1, 256}),
                              MakeFractionAccessor(&AttributeSample::m_gain),
                              MakeFractionChecker())
                .AddAttribute(
                    "Place",
                    "A choice",
                    ChoiceValue<Place>(Place::FRONT),
                    MakeChoiceAccessor<Place>(&AttributeSample::m_place),
                    MakeChoiceChecker<Place>({{Place::FRONT, "front"}, {Place::BACK, "back"}}));
        return tid;
    }

    void SetSize(ByteCount size)
    {
        m_size = size;
    }

    ByteCount GetSize() const
    {
        return m_size;
    }

    SimTime m_delay;
    ByteCount m_size;
    BitRate m_rate;
    Fraction m_gain;
    Place m_place{Place::BACK};
};

NS_OBJECT_ENSURE_REGISTERED(AttributeSample);

} // namespace

TEST(Attributes, DefaultsReachTheMembers)
{
    const auto object = CreateObject<AttributeSample>();
    EXPECT_EQ(object->m_delay, SimTime::Microseconds(1));
    EXPECT_EQ(object->m_size, ByteCount{1000});
    EXPECT_EQ(object->m_rate, BitRate::Gbps(100));
    EXPECT_EQ(object->m_gain, (Fraction{1, 256}));
    EXPECT_EQ(object->m_place, Place::FRONT);
}

TEST(Attributes, TextWithUnitsIsTakenAndGivenBack)
{
    const auto object = CreateObject<AttributeSample>();
    EXPECT_TRUE(object->SetAttributeFailSafe("Delay", StringValue("2.5us")));
    EXPECT_TRUE(object->SetAttributeFailSafe("Size", StringValue("32MiB")));
    EXPECT_TRUE(object->SetAttributeFailSafe("Rate", StringValue("1.6Tbps")));
    EXPECT_TRUE(object->SetAttributeFailSafe("Gain", StringValue("1/8")));
    EXPECT_TRUE(object->SetAttributeFailSafe("Place", StringValue("back")));
    EXPECT_EQ(object->m_delay, SimTime{2'500'000});
    EXPECT_EQ(object->m_place, Place::BACK);

    StringValue text;
    object->GetAttribute("Size", text);
    EXPECT_EQ(text.Get(), "32MiB");
    object->GetAttribute("Place", text);
    EXPECT_EQ(text.Get(), "back");
    SimTimeValue delay;
    object->GetAttribute("Delay", delay);
    EXPECT_EQ(delay.Get(), SimTime{2'500'000});
}

TEST(Attributes, WrongTextIsRefusedAndChangesNothing)
{
    const auto object = CreateObject<AttributeSample>();
    EXPECT_FALSE(object->SetAttributeFailSafe("Delay", StringValue("101ms")));
    EXPECT_FALSE(object->SetAttributeFailSafe("Delay", StringValue("never")));
    EXPECT_FALSE(object->SetAttributeFailSafe("Size", StringValue("1000")));
    EXPECT_FALSE(object->SetAttributeFailSafe("Rate", StringValue("9Mbps")));
    EXPECT_FALSE(object->SetAttributeFailSafe("Gain", StringValue("1.5")));
    EXPECT_FALSE(object->SetAttributeFailSafe("Place", StringValue("side")));
    EXPECT_EQ(object->m_delay, SimTime::Microseconds(1));
    EXPECT_EQ(object->m_place, Place::FRONT);
}

} // namespace ns3::rdma
