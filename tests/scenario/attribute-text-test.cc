// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/attribute-text.h"
#include "tests/scenario/sample-components.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

AttributeText
TextOf(const std::string& name)
{
    TypeId::AttributeInformation information;
    EXPECT_TRUE(SampleSettings::GetTypeId().LookupAttributeByName(name, &information));
    return AttributeText{information};
}

std::string
ErrorOf(const std::string& name, const std::string& text)
{
    const auto errors = TextOf(name).Check(text);
    return errors.empty() ? "" : errors.front().message;
}

} // namespace

TEST(AttributeText, DescribesKindAndRange)
{
    EXPECT_EQ(TextOf("Delay").Describe(), "time, 0ps .. 100ms");
    EXPECT_EQ(TextOf("Size").Describe(), "bytes");
    EXPECT_EQ(TextOf("Gain").Describe(), "fraction, 0 .. 1");
    EXPECT_EQ(TextOf("Mode").Describe(), "one of fast, slow");
    EXPECT_EQ(TextOf("Enabled").Describe(), "true or false");
    EXPECT_EQ(TextOf("Count").Describe(), "whole number, 1 .. 100");
    EXPECT_EQ(TextOf("Offset").Describe(), "integer, -5 .. 5");
    EXPECT_EQ(TextOf("Scale").Describe(), "number, 0 .. 10");
    EXPECT_EQ(TextOf("Priorities").Describe(), "text");
    EXPECT_FALSE(TextOf("Peer").IsSupported());
}

TEST(AttributeText, DefaultsReadAsWritten)
{
    EXPECT_EQ(TextOf("Delay").GetDefault(), "1us");
    EXPECT_EQ(TextOf("Gain").GetDefault(), "1/256");
    EXPECT_EQ(TextOf("Mode").GetDefault(), "fast");
    EXPECT_EQ(TextOf("Enabled").GetDefault(), "true");
    EXPECT_EQ(TextOf("Scale").GetDefault(), "1.5");
}

TEST(AttributeText, RightTextIsTaken)
{
    EXPECT_EQ(ErrorOf("Delay", "2us"), "");
    EXPECT_EQ(ErrorOf("Mode", "slow"), "");
    EXPECT_EQ(ErrorOf("Enabled", "false"), "");
    EXPECT_EQ(ErrorOf("Count", "100"), "");
    EXPECT_EQ(ErrorOf("Offset", "-5"), "");
    EXPECT_EQ(ErrorOf("Scale", "2.5e-1"), "");
    EXPECT_EQ(ErrorOf("Priorities", "anything at all"), "");
}

TEST(AttributeText, WrongTextIsRefusedWithTheReason)
{
    EXPECT_EQ(ErrorOf("Delay", "2"), "the unit is missing");
    EXPECT_EQ(ErrorOf("Delay", "1s"), "out of range");
    EXPECT_EQ(ErrorOf("Mode", "quick"), "unknown name");
    EXPECT_EQ(ErrorOf("Enabled", "yes"), "neither true nor false");
    EXPECT_EQ(ErrorOf("Count", "0"), "out of range");
    EXPECT_EQ(ErrorOf("Count", "101"), "out of range");
    EXPECT_EQ(ErrorOf("Count", "-1"), "not a whole number");
    EXPECT_EQ(ErrorOf("Count", "1.5"), "not a whole number");
    EXPECT_EQ(ErrorOf("Count", "99999999999999999999"), "not a whole number");
    EXPECT_EQ(ErrorOf("Offset", "6"), "out of range");
    EXPECT_EQ(ErrorOf("Offset", "x"), "not an integer");
    EXPECT_EQ(ErrorOf("Scale", "11"), "out of range");
    EXPECT_EQ(ErrorOf("Scale", "1.5us"), "not a number");
    EXPECT_EQ(ErrorOf("Scale", "inf"), "not a number");
    EXPECT_EQ(ErrorOf("Peer", "x"), "no text can set this");
}

TEST(AttributeText, NormalFormIsTheShortest)
{
    EXPECT_EQ(TextOf("Delay").Normalise("1000ns"), "1us");
    EXPECT_EQ(TextOf("Size").Normalise("1024B"), "1KiB");
    EXPECT_EQ(TextOf("Gain").Normalise("50%"), "0.5");
}

TEST(AttributeText, SchemaSaysWhatCheckSays)
{
    EXPECT_EQ(TextOf("Delay").GetSchema()["type"], "string");
    EXPECT_EQ(TextOf("Mode").GetSchema()["enum"], nlohmann::ordered_json({"fast", "slow"}));
    EXPECT_EQ(TextOf("Count").GetSchema()["minimum"], 1);
    EXPECT_EQ(TextOf("Count").GetSchema()["maximum"], 100);
    EXPECT_EQ(TextOf("Offset").GetSchema()["minimum"], -5);
    EXPECT_EQ(TextOf("Enabled").GetSchema()["type"], "boolean");
    EXPECT_EQ(TextOf("Delay").GetSchema()["description"], "A time (0ps .. 100ms); default 1us");
}

} // namespace ns3::rdma
