// SPDX-License-Identifier: GPL-2.0-only
#include "tests/tracefile/random-operations.h"
#include "tracefile/block-decoder.h"
#include "tracefile/block-encoder.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using Bytes = std::vector<std::byte>;

/** Takes operations from a payload until it ends or is wrong; what was wrong. */
std::string
Decode(const Bytes& payload, uint32_t operations)
{
    BlockHeader header;
    header.operations = operations;
    BlockDecoder decoder;
    decoder.Begin(header, payload);
    TraceOperation operation;
    while (decoder.GetLeft() != 0 && decoder.Next(operation))
    {
        EXPECT_FALSE(Describe(operation).empty());
    }
    return decoder.GetError();
}

Bytes
MakeBytes(std::initializer_list<int> values)
{
    Bytes bytes;
    for (const int value : values)
    {
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

} // namespace

TEST(BlockDecoder, EveryOperationComesBack)
{
    RandomOperations random{1};
    BlockEncoder encoder;
    BlockDecoder decoder;
    Bytes buffer(1 << 14);
    for (int block = 0; block < 300; ++block)
    {
        std::vector<std::string> expected;
        encoder.Begin(buffer);
        const uint64_t first = encoder.GetNumber();
        for (TraceOperation operation = random.Make(); encoder.Append(operation);
             operation = random.Make())
        {
            expected.push_back(Describe(operation));
        }
        const std::size_t size = encoder.Finish();
        const auto whole = std::span{buffer}.first(size);
        const BlockHeader header = BlockHeader::Parse(whole);
        EXPECT_EQ(header.firstNumber, first);
        ASSERT_EQ(header.operations, expected.size());
        ASSERT_EQ(header.payloadBytes, size - BlockHeader::SIZE);
        const auto payload = whole.subspan(BlockHeader::SIZE);
        EXPECT_EQ(header.crc, BlockHeader::ComputeCrc(whole.first(BlockHeader::SIZE), payload));
        decoder.Begin(header, payload);
        TraceOperation operation;
        for (const std::string& description : expected)
        {
            ASSERT_TRUE(decoder.Next(operation)) << decoder.GetError();
            ASSERT_EQ(Describe(operation), description);
        }
        EXPECT_EQ(decoder.GetLeft(), 0u);
        EXPECT_EQ(decoder.GetError(), "");
    }
}

TEST(BlockDecoder, RecordsOfNoKnownKindAreRefused)
{
    EXPECT_EQ(Decode(MakeBytes({0x01, 0}), 1), "");
    EXPECT_EQ(Decode(MakeBytes({0x00, 0}), 1), "a record of no known kind");
    EXPECT_EQ(Decode(MakeBytes({0x0d, 0}), 1), "a record of no known kind");
    EXPECT_EQ(Decode(MakeBytes({0x41, 0}), 1), "a record of no known kind");
    EXPECT_EQ(Decode(MakeBytes({0x11, 0, 0x80, 0x80, 0x80, 0x01, 0}), 1),
              "a field of no known kind");
    // An opcode of 256: bit 8 of the mask, 512 as zigzag.
    EXPECT_EQ(Decode(MakeBytes({0x11, 0, 0x80, 0x02, 0x80, 0x04}), 1),
              "a value that its field cannot hold");
    EXPECT_EQ(Decode(MakeBytes({0x09, 0, 9, 1, 0}), 1), "a control operation of no known kind");
    EXPECT_EQ(Decode(MakeBytes({0x09, 0, 1, 99, 0}), 1), "a control operation of no known kind");
    EXPECT_EQ(Decode(MakeBytes({0x09, 0, 1, 1, 99}), 1), "a control operation of no known kind");
}

TEST(BlockDecoder, MissingAndSuperfluousBytesAreTold)
{
    EXPECT_EQ(Decode({}, 1), "the block ends before its last operation");
    EXPECT_EQ(Decode(MakeBytes({0x01}), 1), "the block ends inside an operation");
    EXPECT_EQ(Decode(MakeBytes({0x09, 0, 1}), 1), "the block ends inside an operation");
    EXPECT_EQ(Decode(MakeBytes({0x01, 0, 0x01, 0}), 1),
              "bytes behind the last operation of the block");
    EXPECT_EQ(Decode(MakeBytes({0x21, 0, 0x7f, 0, 0}), 1),
              "more dependencies than the block has bytes for");
    EXPECT_EQ(Decode(MakeBytes({0x09, 0, 1, 1, 1, 50, 'a'}), 1),
              "a control operation whose fields cannot be read");
}

TEST(BlockDecoder, EveryCutOfABlockIsNoticed)
{
    RandomOperations random{3};
    Bytes buffer(1 << 14);
    BlockEncoder encoder;
    encoder.Begin(buffer);
    for (int i = 0; i < 40; ++i)
    {
        ASSERT_TRUE(encoder.Append(random.Make()));
    }
    const uint32_t count = encoder.GetCount();
    const std::size_t size = encoder.Finish();
    const Bytes payload{buffer.begin() + BlockHeader::SIZE,
                        buffer.begin() + static_cast<std::ptrdiff_t>(size)};
    EXPECT_EQ(Decode(payload, count), "");
    for (std::size_t left = 0; left < payload.size(); ++left)
    {
        const Bytes cut{payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(left)};
        EXPECT_NE(Decode(cut, count), "") << left;
    }
}

} // namespace ns3::rdma
