// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/memory-table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

namespace ns3::rdma
{
namespace
{

constexpr uint32_t DOMAIN = 7;
constexpr uint64_t BASE = 0x10000;
constexpr uint64_t BYTES = 100;
constexpr uint8_t REMOTE_READ_WRITE = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_WRITE;

MemoryRegion
Register(MemoryTable& table, const MemoryRegionSpec& spec)
{
    MemoryRegion region;
    EXPECT_EQ(table.Register(spec, region), VerbsError::NONE);
    return region;
}

MemoryRegionSpec
Region(uint8_t access, std::byte* storage = nullptr)
{
    return {.protectionDomain = DOMAIN,
            .address = BASE,
            .length = BYTES,
            .access = access,
            .storage = storage};
}

std::vector<std::byte>
Counting(std::size_t size, uint8_t first)
{
    std::vector<std::byte> bytes(size);
    std::ranges::generate(bytes, [&] { return std::byte{first++}; });
    return bytes;
}

TEST(MemoryTable, BoundsHoldAtEachEdge)
{
    MemoryTable table;
    const uint32_t key = Register(table, Region(REMOTE_READ_WRITE)).rkey;
    const std::vector<std::tuple<uint64_t, uint64_t, AccessCheck>> rows{
        {BASE, BYTES, AccessCheck::OK},
        {BASE, 1, AccessCheck::OK},
        {BASE + BYTES - 1, 1, AccessCheck::OK},
        {BASE - 1, 1, AccessCheck::OUT_OF_BOUNDS},
        {BASE - 1, 2, AccessCheck::OUT_OF_BOUNDS},
        {BASE, BYTES + 1, AccessCheck::OUT_OF_BOUNDS},
        {BASE + 1, BYTES, AccessCheck::OUT_OF_BOUNDS},
        {BASE + BYTES, 1, AccessCheck::OUT_OF_BOUNDS},
        {BASE + BYTES - 1, 2, AccessCheck::OUT_OF_BOUNDS},
        {0, 1, AccessCheck::OUT_OF_BOUNDS},
        // Sums that wrap to the region's inside.
        {UINT64_MAX, BASE + 2, AccessCheck::OUT_OF_BOUNDS},
        {BASE, UINT64_MAX, AccessCheck::OUT_OF_BOUNDS},
        {BASE + 1, UINT64_MAX, AccessCheck::OUT_OF_BOUNDS},
    };
    for (const auto& [address, length, expected] : rows)
    {
        EXPECT_EQ(table.Check({key, DOMAIN, address, length, ACCESS_REMOTE_READ}), expected)
            << std::hex << address << " + " << length;
    }
}

TEST(MemoryTable, ARegionMayEndWithTheAddressSpace)
{
    MemoryTable table;
    MemoryRegion region;
    const MemoryRegionSpec last{
        .protectionDomain = DOMAIN, .address = UINT64_MAX - 9, .length = 10};
    EXPECT_EQ(table.Register(last, region), VerbsError::NONE);
    EXPECT_EQ(table.Check({region.lkey, DOMAIN, UINT64_MAX, 1, 0}), AccessCheck::OK);
    EXPECT_EQ(table.Check({region.lkey, DOMAIN, UINT64_MAX, 2, 0}), AccessCheck::OUT_OF_BOUNDS);
    MemoryRegionSpec beyond = last;
    beyond.length = 11;
    EXPECT_EQ(table.Register(beyond, region), VerbsError::INVALID_ARGUMENT);
    const MemoryRegionSpec whole{.protectionDomain = DOMAIN, .length = UINT64_MAX};
    EXPECT_EQ(table.Register(whole, region), VerbsError::NONE);
    EXPECT_EQ(table.Check({region.lkey, DOMAIN, 0, uint64_t{1} << 31, 0}), AccessCheck::OK);
    EXPECT_EQ(table.Check({region.lkey, DOMAIN, UINT64_MAX - 1, 1, 0}), AccessCheck::OK);
}

/** All combinations of rights granted and asked for, with ibv_reg_mr(3)'s rule. */
TEST(MemoryTable, ARegionGrantsItsRightsAndNoOther)
{
    for (uint8_t granted = 0; granted <= ACCESS_ALL; ++granted)
    {
        MemoryTable table;
        MemoryRegion region;
        const bool needsLocalWrite = (granted & (ACCESS_REMOTE_WRITE | ACCESS_REMOTE_ATOMIC)) != 0;
        if (needsLocalWrite && (granted & ACCESS_LOCAL_WRITE) == 0)
        {
            EXPECT_EQ(table.Register(Region(granted), region), VerbsError::INVALID_ARGUMENT);
            EXPECT_EQ(table.GetCount(), 0U);
            continue;
        }
        ASSERT_EQ(table.Register(Region(granted), region), VerbsError::NONE);
        for (uint8_t asked = 0; asked <= ACCESS_ALL; ++asked)
        {
            const bool isGranted = (asked & ~granted) == 0;
            EXPECT_EQ(table.Check({region.lkey, DOMAIN, BASE, 1, asked}),
                      isGranted ? AccessCheck::OK : AccessCheck::NO_RIGHT)
                << int{granted} << " " << int{asked};
        }
    }
    MemoryTable table;
    MemoryRegion region;
    EXPECT_EQ(table.Register(Region(ACCESS_ALL + 1), region), VerbsError::INVALID_ARGUMENT);
}

TEST(MemoryTable, OnlyARemoteRightGivesARemoteKey)
{
    MemoryTable table;
    EXPECT_EQ(Register(table, Region(0)).rkey, 0U);
    EXPECT_EQ(Register(table, Region(ACCESS_LOCAL_WRITE)).rkey, 0U);
    const MemoryRegion remote = Register(table, Region(ACCESS_REMOTE_READ));
    EXPECT_NE(remote.rkey, 0U);
    EXPECT_EQ(remote.rkey, remote.lkey);
    EXPECT_EQ(table.Check({0, DOMAIN, BASE, 1, 0}), AccessCheck::BAD_KEY);
}

TEST(MemoryTable, TheFirstCheckThatFailsDecides)
{
    MemoryTable table;
    const uint32_t key = Register(table, Region(ACCESS_LOCAL_WRITE)).lkey;
    const uint64_t outside = BASE + BYTES;
    EXPECT_EQ(table.Check({key + 1, DOMAIN + 1, outside, 1, ACCESS_REMOTE_READ}),
              AccessCheck::BAD_KEY);
    EXPECT_EQ(table.Check({key, DOMAIN + 1, outside, 1, ACCESS_REMOTE_READ}),
              AccessCheck::WRONG_DOMAIN);
    EXPECT_EQ(table.Check({key, DOMAIN, outside, 1, ACCESS_REMOTE_READ}), AccessCheck::NO_RIGHT);
    EXPECT_EQ(table.Check({key, DOMAIN, outside, 1, 0}), AccessCheck::OUT_OF_BOUNDS);
}

/** IBTA Vol 1 Rel 1.7 C9-88: the R_Key of a request of length 0 is not looked at. */
TEST(MemoryTable, ZeroLengthNeedsNoKey)
{
    const MemoryTable table;
    EXPECT_EQ(table.Check({0xdeadbeef, DOMAIN, BASE, 0, ACCESS_REMOTE_WRITE}), AccessCheck::OK);
    const std::array<ScatterGatherElement, 1> list{{{.address = 1, .length = 0, .lkey = 99}}};
    EXPECT_EQ(table.CheckList(list, DOMAIN, ACCESS_LOCAL_WRITE), AccessCheck::OK);
}

TEST(MemoryTable, AStaleKeyIsRefused)
{
    MemoryTable table;
    std::vector<uint32_t> stale;
    // 2^8 variants: the 256th key of a slot is the first again.
    for (int i = 0; i < 255; ++i)
    {
        const uint32_t key = Register(table, Region(ACCESS_REMOTE_READ)).lkey;
        EXPECT_EQ(std::ranges::count(stale, key), 0);
        for (uint32_t old : stale)
        {
            EXPECT_EQ(table.Check({old, DOMAIN, BASE, 1, 0}), AccessCheck::BAD_KEY);
            EXPECT_EQ(table.Deregister(old), VerbsError::NOT_FOUND);
        }
        stale.push_back(key);
        ASSERT_EQ(table.Deregister(key), VerbsError::NONE);
        EXPECT_EQ(table.Check({key, DOMAIN, BASE, 1, 0}), AccessCheck::BAD_KEY);
        EXPECT_EQ(table.GetCount(), 0U);
    }
}

TEST(MemoryTable, RegionsAreCountedByDomain)
{
    MemoryTable table;
    const MemoryRegion first = Register(table, Region(0));
    MemoryRegionSpec other = Region(0);
    other.protectionDomain = DOMAIN + 1;
    Register(table, other);
    EXPECT_EQ(table.GetCount(), 2U);
    EXPECT_EQ(table.GetCount(DOMAIN), 1U);
    EXPECT_EQ(table.Deregister(first.lkey), VerbsError::NONE);
    EXPECT_EQ(table.GetCount(DOMAIN), 0U);
    EXPECT_EQ(table.GetCount(), 1U);
}

TEST(MemoryTable, AnInvalidatedKeyIsOfNoUseUntilItIsDeregistered)
{
    MemoryTable table;
    MemoryRegionSpec spec = Region(ACCESS_REMOTE_READ);
    const uint32_t ordinary = Register(table, spec).rkey;
    spec.isInvalidatable = true;
    const uint32_t fast = Register(table, spec).rkey;
    EXPECT_FALSE(table.CanInvalidate(ordinary, DOMAIN));
    EXPECT_FALSE(table.CanInvalidate(fast, DOMAIN + 1));
    EXPECT_FALSE(table.CanInvalidate(fast + 1, DOMAIN));
    EXPECT_FALSE(table.CanInvalidate(0, DOMAIN));
    ASSERT_TRUE(table.CanInvalidate(fast, DOMAIN));
    table.Invalidate(fast);
    EXPECT_FALSE(table.CanInvalidate(fast, DOMAIN));
    EXPECT_EQ(table.Check({fast, DOMAIN, BASE, 1, ACCESS_REMOTE_READ}), AccessCheck::BAD_KEY);
    EXPECT_EQ(table.Check({ordinary, DOMAIN, BASE, 1, ACCESS_REMOTE_READ}), AccessCheck::OK);
    EXPECT_EQ(table.GetCount(), 2U);
    EXPECT_EQ(table.Deregister(fast), VerbsError::NONE);
}

TEST(MemoryTable, TheFirstBadPieceOfAListDecides)
{
    MemoryTable table;
    const uint32_t key = Register(table, Region(0)).lkey;
    std::array<ScatterGatherElement, 3> list{{{.address = BASE, .length = 50, .lkey = key},
                                              {.address = BASE, .length = 0, .lkey = 0},
                                              {.address = BASE + 50, .length = 50, .lkey = key}}};
    EXPECT_EQ(table.CheckList(list, DOMAIN, 0), AccessCheck::OK);
    EXPECT_EQ(table.CheckList({}, DOMAIN, 0), AccessCheck::OK);
    EXPECT_EQ(table.CheckList(list, DOMAIN, ACCESS_LOCAL_WRITE), AccessCheck::NO_RIGHT);
    list[2].length = 51;
    EXPECT_EQ(table.CheckList(list, DOMAIN, 0), AccessCheck::OUT_OF_BOUNDS);
    list[1].length = 1;
    EXPECT_EQ(table.CheckList(list, DOMAIN, 0), AccessCheck::BAD_KEY);
}

TEST(MemoryTable, RealMemoryIsReadAndWrittenWhereTheAddressSays)
{
    MemoryTable table;
    std::vector<std::byte> storage(BYTES);
    const uint32_t key = Register(table, Region(REMOTE_READ_WRITE, storage.data())).rkey;
    table.Write(key, BASE + 90, Counting(10, 1));
    EXPECT_EQ(storage[89], std::byte{0});
    EXPECT_EQ(storage[90], std::byte{1});
    EXPECT_EQ(storage[99], std::byte{10});
    std::vector<std::byte> back(12);
    table.Read(key, BASE + 88, back);
    EXPECT_EQ(back[1], std::byte{0});
    EXPECT_EQ(back[2], std::byte{1});
    table.StoreWord(key, BASE + 16, 0x1122334455667788);
    EXPECT_EQ(table.LoadWord(key, BASE + 16), 0x1122334455667788U);
    uint64_t inHostOrder = 0;
    std::memcpy(&inHostOrder, &storage[16], sizeof(inHostOrder));
    EXPECT_EQ(inHostOrder, 0x1122334455667788U);
}

/** Each start and length of a packet within a list of pieces, against one flat buffer. */
TEST(MemoryTable, ListsAreGatheredAndScatteredAsOneBuffer)
{
    MemoryTable table;
    std::vector<std::byte> storage = Counting(BYTES, 0);
    const uint32_t key = Register(table, Region(ACCESS_LOCAL_WRITE, storage.data())).lkey;
    // 20 bytes: numbers 40 to 46, none, 10 to 19, 97 to 99.
    const std::array<ScatterGatherElement, 4> list{
        {{.address = BASE + 40, .length = 7, .lkey = key},
         {.address = BASE, .length = 0, .lkey = 0},
         {.address = BASE + 10, .length = 10, .lkey = key},
         {.address = BASE + 97, .length = 3, .lkey = key}}};
    const std::array<uint8_t, 20> places{40, 41, 42, 43, 44, 45, 46, 10, 11, 12,
                                         13, 14, 15, 16, 17, 18, 19, 97, 98, 99};
    for (std::size_t offset = 0; offset <= 20; ++offset)
    {
        for (std::size_t length = 0; offset + length <= 20; ++length)
        {
            std::ranges::copy(Counting(BYTES, 0), storage.begin());
            std::vector<std::byte> packet(length, std::byte{0xa5});
            table.Gather(list, offset, packet);
            std::vector<std::byte> expected(length);
            std::vector<std::byte> after = Counting(BYTES, 0);
            for (std::size_t i = 0; i < length; ++i)
            {
                expected[i] = std::byte{places[offset + i]};
                after[places[offset + i]] = std::byte{0xee};
            }
            EXPECT_EQ(packet, expected) << offset << " + " << length;
            table.Scatter(list, offset, std::vector<std::byte>(length, std::byte{0xee}));
            EXPECT_EQ(storage, after) << offset << " + " << length;
        }
    }
}

/** A region may go while a message is on its way: nothing else may be touched then. */
TEST(MemoryTable, WhatIsGoneReadsAsZerosAndTakesNothing)
{
    MemoryTable table;
    std::vector<std::byte> storage = Counting(BYTES, 1);
    const MemoryRegion region = Register(table, Region(REMOTE_READ_WRITE, storage.data()));
    const std::array<ScatterGatherElement, 1> list{
        {{.address = BASE, .length = 4, .lkey = region.lkey}}};
    std::vector<std::byte> packet(6, std::byte{0xa5});
    table.Gather(list, 0, packet);
    EXPECT_EQ(packet[3], std::byte{4});
    EXPECT_EQ(packet[4], std::byte{0}); // behind the list's end
    table.Scatter(list, 2, Counting(6, 0x80));
    EXPECT_EQ(storage[3], std::byte{0x81});
    EXPECT_EQ(storage[4], std::byte{5});
    table.Write(region.rkey, BASE + BYTES - 1, Counting(2, 0x80)); // not wholly inside
    EXPECT_EQ(storage[BYTES - 1], std::byte{BYTES});
    ASSERT_EQ(table.Deregister(region.lkey), VerbsError::NONE);
    table.Gather(list, 0, packet);
    EXPECT_EQ(packet, std::vector<std::byte>(6));
    table.Scatter(list, 0, Counting(4, 0xe0));
    table.StoreWord(region.rkey, BASE, UINT64_MAX);
    EXPECT_EQ(storage[0], std::byte{1});
    EXPECT_EQ(table.LoadWord(region.rkey, BASE), 0U);
}

TEST(MemoryTable, SyntheticMemoryKeepsWordsAndNothingElse)
{
    MemoryTable table;
    const uint32_t key = Register(table, Region(ACCESS_ALL)).rkey;
    table.Write(key, BASE, Counting(16, 1));
    EXPECT_EQ(table.LoadWord(key, BASE), 0U);
    table.StoreWord(key, BASE + 8, 5);
    EXPECT_EQ(table.LoadWord(key, BASE + 8), 5U);
    EXPECT_EQ(table.LoadWord(key, BASE), 0U);
    EXPECT_EQ(table.LoadWord(key, BASE + 16), 0U);
    // A lock is released by a WRITE, and seen by a READ.
    std::array<std::byte, 24> bytes{};
    table.Read(key, BASE, bytes);
    EXPECT_TRUE(std::ranges::any_of(bytes, [](std::byte b) { return b == std::byte{5}; }));
    table.Write(key, BASE, std::array<std::byte, 24>{});
    EXPECT_EQ(table.LoadWord(key, BASE + 8), 0U);
    // The word of another region at the same address is another.
    const uint32_t other = Register(table, Region(ACCESS_ALL)).rkey;
    table.StoreWord(key, BASE + 8, 6);
    EXPECT_EQ(table.LoadWord(other, BASE + 8), 0U);
    table.StoreWord(other, BASE + 8, 7);
    ASSERT_EQ(table.Deregister(key), VerbsError::NONE);
    EXPECT_EQ(table.LoadWord(other, BASE + 8), 7U);
    const uint32_t again = Register(table, Region(ACCESS_ALL)).rkey;
    EXPECT_EQ(table.LoadWord(again, BASE + 8), 0U);
}

/** Kept words against a real region, at each alignment and at the region's edges. */
TEST(MemoryTable, SyntheticWordsBehaveAsRealOnes)
{
    for (uint64_t first = 0; first + 8 <= 24; ++first)
    {
        MemoryTable table;
        std::vector<std::byte> storage(24);
        MemoryRegionSpec spec = Region(ACCESS_ALL);
        spec.length = 24;
        const uint32_t synthetic = Register(table, spec).rkey;
        spec.storage = storage.data();
        const uint32_t real = Register(table, spec).rkey;
        for (uint32_t key : {synthetic, real})
        {
            table.StoreWord(key, BASE + first, 0x0102030405060708);
            table.StoreWord(key, BASE + first / 2, 0x1112131415161718);
        }
        std::vector<std::byte> kept(24);
        table.Read(synthetic, BASE, kept);
        EXPECT_EQ(kept, storage) << first;
        for (uint64_t second = 0; second + 8 <= 24; ++second)
        {
            EXPECT_EQ(table.LoadWord(synthetic, BASE + second), table.LoadWord(real, BASE + second))
                << first << " " << second;
        }
    }
}

} // namespace
} // namespace ns3::rdma
