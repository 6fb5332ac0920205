// SPDX-License-Identifier: GPL-2.0-only
#include "tests/tracefile/random-operations.h"
#include "tracefile/block-decoder.h"
#include "tracefile/block-encoder.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

/** Something that any field can be made from; to count the fields of a struct. */
struct Anything
{
    template <typename T>
    operator T() const;
};

/** How many fields an aggregate has: the most values that it can be made from. */
template <typename T, typename... VALUES>
constexpr std::size_t
CountFields()
{
    if constexpr (requires { T{VALUES{}..., Anything{}}; })
    {
        return CountFields<T, VALUES..., Anything>();
    }
    else
    {
        return sizeof...(VALUES);
    }
}

/** Whether each field of a detail is stored. */
template <typename DETAIL>
constexpr bool IS_COMPLETE =
    std::tuple_size_v<std::remove_const_t<decltype(DETAIL_FIELDS<DETAIL>)>> ==
    CountFields<DETAIL>();

static_assert(IS_COMPLETE<DeviceDetail>);
static_assert(IS_COMPLETE<MemoryRegionDetail>);
static_assert(IS_COMPLETE<CompletionQueueDetail>);
static_assert(IS_COMPLETE<SharedReceiveQueueDetail>);
static_assert(IS_COMPLETE<QueuePairDetail>);
static_assert(IS_COMPLETE<QueuePairChange>);
static_assert(IS_COMPLETE<AddressHandleDetail>);
static_assert(IS_COMPLETE<ConnectionStep>);
static_assert(IS_COMPLETE<ConnectionDetail>);
/** Besides those of OPERATION_FIELDS: kind, time, control, dependencies. */
static_assert(OPERATION_FIELD_COUNT + 4 == CountFields<TraceOperation>());

using Bytes = std::vector<std::byte>;

/** A block of some operations. */
Bytes
Encode(const std::vector<TraceOperation>& operations)
{
    Bytes buffer(1 << 16, std::byte{0xa5});
    BlockEncoder encoder;
    encoder.Begin(buffer);
    for (const TraceOperation& operation : operations)
    {
        EXPECT_TRUE(encoder.Append(operation));
    }
    buffer.resize(encoder.Finish());
    return buffer;
}

Bytes
FromHex(const std::string& text)
{
    Bytes bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 3)
    {
        bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

} // namespace

TEST(BlockEncoder, BytesAreThoseOfTheDescription)
{
    TraceOperation post;
    post.kind = OperationKind::POST_SEND;
    post.object = 3;
    post.timeNs = 1000;
    post.bytes = 4096;
    TraceOperation polls;
    polls.kind = OperationKind::EMPTY_POLLS;
    polls.object = 1;
    polls.timeNs = 1500;
    polls.count = 70;
    TraceOperation second = post;
    second.timeNs = 1499;
    // The mask of the first: object (bit 2) and bytes (bit 3). From NO_OBJECT to 3 it is 4 - 2^32,
    // as zigzag 2^33 - 9. The CRC is from a bit by bit computation in another language.
    const Bytes expected = FromHex("54 42 4c 4b 18 00 00 00 03 00 00 00 00 00 00 00 00 00 00 00 "
                                   "3b f6 c1 5d "
                                   "11 d0 0f 0c f7 ff ff ff 1f 80 40 "
                                   "15 e8 07 44 fb ff ff ff 1f 8c 01 "
                                   "01 01 ");
    const Bytes block = Encode({post, polls, second});
    EXPECT_EQ(block, expected);
}

TEST(BlockEncoder, WhatDoesNotFitLeavesTheBlockAsItIs)
{
    Bytes buffer(BlockEncoder::MIN_BUFFER_BYTES);
    BlockEncoder encoder;
    encoder.Begin(buffer);
    TraceOperation operation;
    operation.kind = OperationKind::POST_RECEIVE;
    uint32_t count = 0;
    while (encoder.Append(operation))
    {
        operation.wrId += 1;
        ++count;
    }
    EXPECT_GT(count, 150u);
    EXPECT_EQ(encoder.GetCount(), count);
    const std::size_t size = encoder.Finish();
    ASSERT_LE(size, buffer.size());
    BlockDecoder decoder;
    const BlockHeader header = BlockHeader::Parse(buffer);
    decoder.Begin(header, std::span{buffer}.subspan(BlockHeader::SIZE, header.payloadBytes));
    TraceOperation read;
    for (uint32_t i = 0; i < count; ++i)
    {
        ASSERT_TRUE(decoder.Next(read));
        EXPECT_EQ(read.wrId, i);
    }
    EXPECT_EQ(decoder.GetLeft(), 0u);
    EXPECT_EQ(decoder.GetError(), "");
}

TEST(BlockEncoder, NumbersGoOnFromBlockToBlock)
{
    Bytes buffer(BlockEncoder::MIN_BUFFER_BYTES);
    BlockEncoder encoder;
    TraceOperation operation;
    operation.kind = OperationKind::ARM;
    encoder.Begin(buffer);
    EXPECT_EQ(encoder.Finish(), 0u);
    encoder.Begin(buffer);
    EXPECT_TRUE(encoder.Append(operation));
    EXPECT_TRUE(encoder.Append(operation));
    EXPECT_GT(encoder.Finish(), BlockHeader::SIZE);
    encoder.Begin(buffer);
    EXPECT_TRUE(encoder.Append(operation));
    EXPECT_EQ(encoder.GetNumber(), 3u);
    encoder.Finish();
    EXPECT_EQ(BlockHeader::Parse(buffer).firstNumber, 2u);
    EXPECT_EQ(BlockHeader::Parse(buffer).operations, 1u);
}

TEST(BlockEncoder, WhatIsNoOperationAndWhatNeverFitsIsRefused)
{
    Bytes buffer(BlockEncoder::MIN_BUFFER_BYTES);
    BlockEncoder encoder;
    encoder.Begin(buffer);
    EXPECT_FALSE(encoder.Append(TraceOperation{}));
    TraceOperation operation;
    operation.kind = OperationKind::COMPUTE;
    const std::vector<Dependency> many(100);
    operation.dependencies = many;
    EXPECT_GT(BlockEncoder::GetBound(operation), buffer.size());
    EXPECT_FALSE(encoder.Append(operation));
    encoder.Begin(std::span{buffer}.first(10));
    operation.dependencies = {};
    EXPECT_FALSE(encoder.Append(operation));
    EXPECT_EQ(encoder.Finish(), 0u);
}

TEST(BlockEncoder, NoOperationTakesMoreThanItsBound)
{
    RandomOperations random{7};
    Bytes buffer(1 << 16);
    BlockEncoder encoder;
    for (int i = 0; i < 20000; ++i)
    {
        encoder.Begin(buffer);
        const TraceOperation operation = random.Make();
        ASSERT_TRUE(encoder.Append(operation));
        ASSERT_LE(encoder.Finish(), BlockHeader::SIZE + BlockEncoder::GetBound(operation));
    }
}

} // namespace ns3::rdma
