// SPDX-License-Identifier: GPL-2.0-only
// What is wrong with captures; that good ones of all forms are read is shown in
// tests/workload/capture-trace-reader-test.cc.
#include "tests/support/temporary-folder.h"
#include "tests/wire/wire-samples.h"
#include "wire/capture-file.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::HasSubstr;

constexpr const char* SECTION = "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffff ffffffff 1c000000";
constexpr const char* INTERFACE = "01000000 14000000 01000000 00000000 14000000";
/** Interface 0, 2^32 + 5 microseconds, four of 60 bytes. */
constexpr const char* PACKET =
    "06000000 24000000 00000000 01000000 05000000 04000000 3c000000 01020304 24000000";

class CaptureFileTest : public testing::Test
{
  protected:
    /** Opens a file with these bytes. */
    CaptureFile Open(const std::string& hex)
    {
        const auto bytes = FromHex(hex);
        std::ofstream{m_path, std::ios::binary}.write(reinterpret_cast<const char*>(bytes.data()),
                                                      static_cast<std::streamsize>(bytes.size()));
        auto file = CaptureFile::Open(m_path.string());
        EXPECT_TRUE(file);
        return *file;
    }

    /** The damage after so many good frames. */
    std::string FindDamage(const std::string& hex, uint64_t frames = 0)
    {
        CaptureFile file = Open(hex);
        CaptureRecord record;
        for (uint64_t i = 0; i < frames; ++i)
        {
            EXPECT_TRUE(file.Next(record));
        }
        EXPECT_FALSE(file.Next(record));
        EXPECT_FALSE(file.Next(record)) << "it stays damaged";
        return file.GetDamage() ? ToString(*file.GetDamage()) : "none";
    }

    const std::string m_good = std::string{SECTION} + INTERFACE + PACKET;
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder.Path() / "capture";
};

TEST_F(CaptureFileTest, ReadsAPacketOfPcapng)
{
    CaptureFile file = Open(m_good + PACKET);
    CaptureRecord record;
    ASSERT_TRUE(file.Next(record));
    EXPECT_EQ(record.timeNs, ((uint64_t{1} << 32) + 5) * 1000);
    EXPECT_EQ(record.originalBytes, 60U);
    EXPECT_EQ(record.bytes.size(), 4U);
    EXPECT_TRUE(record.IsCut());
    EXPECT_EQ(record.linkType, PCAP_LINK_ETHERNET);
    ASSERT_TRUE(file.Next(record));
    EXPECT_EQ(record.number, 2U);
    EXPECT_FALSE(file.Next(record));
    EXPECT_FALSE(file.GetDamage());
}

TEST_F(CaptureFileTest, SaysWhereAFileIsDamaged)
{
    EXPECT_THAT(FindDamage(m_good + "06000000 2400", 1), HasSubstr("record 2 at byte 84"));
    EXPECT_THAT(FindDamage(m_good + "06000000 25000000 00000000 00000000", 1),
                HasSubstr("a block's length is wrong; got '37'"));
    EXPECT_THAT(FindDamage(m_good + "06000000 ffffff7f 00000000 00000000", 1),
                HasSubstr("a block's length is wrong"));
    EXPECT_THAT(FindDamage(std::string{SECTION} + PACKET),
                HasSubstr("a packet before the description of its interface"));
    EXPECT_THAT(
        FindDamage(std::string{SECTION} + INTERFACE +
                   "06000000 20000000 01000000 00000000 00000000 00000000 00000000 20000000"),
        HasSubstr("of an interface that is not described; got '1'"));
    EXPECT_THAT(
        FindDamage(std::string{SECTION} + INTERFACE +
                   "06000000 20000000 00000000 00000000 00000000 05000000 3c000000 20000000"),
        HasSubstr("a packet is longer than its block or its frame; got '5 bytes'"));
    EXPECT_THAT(FindDamage("0a0d0d0a 1c000000 00000000 01000000 ffffffff ffffffff 1c000000"),
                HasSubstr("a section without its byte order"));
    EXPECT_THAT(
        FindDamage(std::string{SECTION} + "01000000 18000000 01000000 00000000 0900ff00 18000000"),
        HasSubstr("an option is longer than its block"));
    EXPECT_THAT(FindDamage(std::string{SECTION} +
                           "01000000 1c000000 01000000 00000000 09000100 7f000000 1c000000"),
                HasSubstr("an interface's times are too fine"));
}

TEST_F(CaptureFileTest, EveryCutOfAFileIsToleratedAndTold)
{
    const auto bytes = FromHex(m_good);
    for (std::size_t length = 4; length < bytes.size(); ++length)
    {
        std::ofstream{m_path, std::ios::binary}.write(reinterpret_cast<const char*>(bytes.data()),
                                                      static_cast<std::streamsize>(length));
        auto file = CaptureFile::Open(m_path.string());
        ASSERT_TRUE(file);
        CaptureRecord record;
        EXPECT_FALSE(file->Next(record)) << length;
        const bool isBetweenBlocks = length == 28 || length == 48;
        EXPECT_EQ(file->GetDamage().has_value(), !isBetweenBlocks) << length;
    }
}

TEST_F(CaptureFileTest, ALongFileIsReadPieceByPiece)
{
    std::ofstream stream{m_path, std::ios::binary};
    PcapWriter writer{[&](std::span<const std::byte> bytes)
                      {
                          stream.write(reinterpret_cast<const char*>(bytes.data()),
                                       static_cast<std::streamsize>(bytes.size()));
                      }};
    const std::vector<std::byte> frame(1000, std::byte{0x5a});
    for (uint64_t i = 0; i < 500; ++i) // several pieces of 64 KiB
    {
        writer.Write(i * 1000, frame);
    }
    stream.close();
    auto file = CaptureFile::Open(m_path.string());
    ASSERT_TRUE(file);
    CaptureRecord record;
    for (uint64_t i = 0; i < 500; ++i)
    {
        ASSERT_TRUE(file->Next(record));
        EXPECT_EQ(record.timeNs, i * 1000);
        EXPECT_EQ(record.offset, PcapWriter::HEADER_BYTES + i * 1016);
        EXPECT_TRUE(std::ranges::equal(record.bytes, frame));
    }
    EXPECT_FALSE(file->Next(record));
    EXPECT_FALSE(file->GetDamage());
}

} // namespace
} // namespace ns3::rdma
