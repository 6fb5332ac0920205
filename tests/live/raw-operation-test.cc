// SPDX-License-Identifier: GPL-2.0-only
#include "live/raw-operation.h"

#include <array>
#include <cstring>
#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

/** Slots as a ring has them, with a detail behind the first. */
template <typename Detail>
std::array<RawOperation, 4>
MakeSlots(const RawOperation& first, const Detail& detail)
{
    std::array<RawOperation, 4> slots{};
    slots[0] = first;
    std::memcpy(static_cast<void*>(&slots[1]), &detail, sizeof(detail));
    return slots;
}

} // namespace

TEST(RawDecoder, ARequestOfOneSlot)
{
    RawDecoder decoder;
    const RawOperation raw{.ticks = 99,
                           .kind = OperationKind::POST_SEND,
                           .opcode = 4,
                           .flags = 2,
                           .elements = 3,
                           .result = -12,
                           .object = 7,
                           .wrId = 0x123456789abcdef0,
                           .bytes = uint64_t{5} << 32,
                           .localAddress = 10,
                           .remoteAddress = 11,
                           .localKey = 12,
                           .rkey = 13};
    const TraceOperation& operation = decoder.Decode(&raw);
    EXPECT_EQ(operation.timeNs, 99);
    EXPECT_EQ(operation.opcode, 4);
    EXPECT_EQ(operation.flags, 2);
    EXPECT_EQ(operation.elements, 3);
    EXPECT_EQ(operation.result, -12);
    EXPECT_EQ(operation.object, 7U);
    EXPECT_EQ(operation.other, NO_OBJECT);
    EXPECT_EQ(operation.wrId, 0x123456789abcdef0U);
    EXPECT_EQ(operation.bytes, uint64_t{5} << 32);
    EXPECT_EQ(operation.localAddress, 10U);
    EXPECT_EQ(operation.remoteAddress, 11U);
    EXPECT_EQ(operation.localKey, 12U);
    EXPECT_EQ(operation.rkey, 13U);
    EXPECT_EQ(operation.immediate, 0U);
}

TEST(RawDecoder, WhatFewRequestsHaveStandsInTheSecondSlot)
{
    RawDecoder decoder;
    const auto slots = MakeSlots(
        RawOperation{.kind = OperationKind::POST_SEND, .slots = 2},
        RawExtension{
            .compareAdd = 1, .swap = 2, .durationTicks = 3, .immediate = 4, .remoteQp = 5});
    const TraceOperation& operation = decoder.Decode(slots.data());
    EXPECT_EQ(operation.compareAdd, 1U);
    EXPECT_EQ(operation.swap, 2U);
    EXPECT_EQ(operation.durationNs, 3);
    EXPECT_EQ(operation.immediate, 4U);
    EXPECT_EQ(operation.remoteQp, 5U);
    // The next one has nothing of it.
    const RawOperation plain{.kind = OperationKind::POST_SEND};
    EXPECT_EQ(decoder.Decode(&plain).swap, 0U);
    EXPECT_EQ(decoder.Decode(&plain).immediate, 0U);
}

TEST(RawDecoder, FieldsThatMeanSomethingElse)
{
    RawDecoder decoder;
    const RawOperation entry{.kind = OperationKind::COMPLETION, .localKey = 257, .rkey = 4711};
    EXPECT_EQ(decoder.Decode(&entry).remoteQp, 257U);
    EXPECT_EQ(decoder.Decode(&entry).immediate, 4711U);
    EXPECT_EQ(decoder.Decode(&entry).localKey, 0U);
    EXPECT_EQ(decoder.Decode(&entry).rkey, 0U);
    const RawOperation polls{.kind = OperationKind::EMPTY_POLLS, .bytes = 5000};
    EXPECT_EQ(decoder.Decode(&polls).count, 5000U);
    EXPECT_EQ(decoder.Decode(&polls).bytes, 0U);
}

TEST(RawDecoder, ControlOperationsWithTheirDetail)
{
    RawDecoder decoder;
    RawDevice device{};
    std::strcpy(device.name, "mlx5_0");
    device.gid[15] = std::byte{9};
    const auto slots = MakeSlots(RawOperation{.kind = OperationKind::CONTROL,
                                              .opcode = static_cast<uint8_t>(ControlVerb::CREATE),
                                              .flags = static_cast<uint8_t>(ObjectKind::DEVICE),
                                              .status = static_cast<uint8_t>(RawDetail::DEVICE),
                                              .bytes = 77},
                                 device);
    const TraceOperation& operation = decoder.Decode(slots.data());
    EXPECT_EQ(operation.durationNs, 77);
    EXPECT_EQ(operation.bytes, 0U);
    EXPECT_EQ(operation.opcode, 0);
    EXPECT_EQ(operation.control.verb, ControlVerb::CREATE);
    EXPECT_EQ(operation.control.kind, ObjectKind::DEVICE);
    const auto& detail = std::get<DeviceDetail>(operation.control.detail);
    EXPECT_EQ(detail.name, "mlx5_0");
    EXPECT_EQ(detail.gid[15], std::byte{9});
    const RawOperation destroy{.kind = OperationKind::CONTROL,
                               .opcode = static_cast<uint8_t>(ControlVerb::DESTROY)};
    EXPECT_TRUE(std::holds_alternative<std::monostate>(decoder.Decode(&destroy).control.detail));
}

} // namespace ns3::rdma
