// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/thread-file-header.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

ThreadFileHeader
MakeHeader()
{
    ThreadFileHeader header;
    header.order = ThreadOrder::GRAPH;
    header.number = 7;
    header.clock = {2'400'000'000, -5};
    header.name = "worker";
    return header;
}

Bytes
Emit(const ThreadFileHeader& header)
{
    Bytes bytes(ThreadFileHeader::MAX_BYTES, std::byte{0xa5});
    bytes.resize(header.Emit(bytes));
    return bytes;
}

} // namespace

TEST(ThreadFileHeader, ComesBack)
{
    const ThreadFileHeader header = MakeHeader();
    Bytes bytes = Emit(header);
    EXPECT_EQ(bytes.size(), ThreadFileHeader::FIXED_BYTES + 6);
    EXPECT_EQ(bytes.size(), header.GetSize());
    bytes.push_back(std::byte{1}); // what follows is not its own
    const auto read = ThreadFileHeader::Parse("t", bytes);
    ASSERT_TRUE(read) << ToString(read.Errors());
    EXPECT_EQ(*read, header);
    EXPECT_TRUE(ThreadFileHeader::IsOne(bytes));
}

TEST(ThreadFileHeader, LongNamesAreCut)
{
    ThreadFileHeader header;
    header.name = std::string(300, 'x');
    const auto read = ThreadFileHeader::Parse("t", Emit(header));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->name, std::string(255, 'x'));
}

TEST(ThreadFileHeader, EveryCutAndEveryFlippedBitIsNoticed)
{
    const Bytes bytes = Emit(MakeHeader());
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        EXPECT_FALSE(ThreadFileHeader::Parse("t", std::span{bytes}.first(size))) << size;
    }
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit)
    {
        Bytes damaged = bytes;
        damaged[bit / 8] ^= std::byte{1} << bit % 8;
        EXPECT_FALSE(ThreadFileHeader::Parse("t", damaged)) << bit;
    }
}

TEST(ThreadFileHeader, DiagnosticsSayWhereAndWhatWasExpected)
{
    Bytes bytes = Emit(MakeHeader());
    const auto errorOf = [](std::span<const std::byte> input)
    { return ToString(ThreadFileHeader::Parse("t.rdt", input).Errors()); };
    EXPECT_THAT(errorOf(std::span{bytes}.first(40)),
                HasSubstr("t.rdt: byte 0: the file ends inside its header; got '40 bytes'"));
    bytes[8] = std::byte{2};
    EXPECT_THAT(errorOf(bytes),
                HasSubstr("t.rdt: byte 8: unknown version of the format; got '2'; expected 1"));
    bytes[0] = std::byte{0};
    EXPECT_THAT(errorOf(bytes), HasSubstr("not a thread file of a trace"));
    EXPECT_FALSE(ThreadFileHeader::IsOne(bytes));
}

TEST(TraceClock, TicksAreNanosecondsByTheirRate)
{
    const TraceClock clock{3, 10};
    EXPECT_EQ(clock.ToNs(10), 0);
    EXPECT_EQ(clock.ToNs(11), 333333333);
    EXPECT_EQ(clock.ToNs(13), 1'000'000'000);
    EXPECT_EQ(clock.ToNs(9), -333333334);
    EXPECT_EQ(clock.SpanToNs(4), 1'333'333'333);
    // A day at 2.4 GHz and one tick: no digit is lost.
    const TraceClock fast{2'400'000'000, 0};
    EXPECT_EQ(fast.ToNs(86400LL * 2'400'000'000 + 12), 86400LL * 1'000'000'000 + 5);
    const TraceClock plain{TraceClock::NANOSECONDS, -7};
    EXPECT_EQ(plain.ToNs(0), 7);
    constexpr int64_t LEAST = std::numeric_limits<int64_t>::min();
    EXPECT_EQ(plain.SpanToNs(LEAST), LEAST);
}

} // namespace ns3::rdma
