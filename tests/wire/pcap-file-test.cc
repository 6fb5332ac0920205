// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "tests/wire/wire-samples.h"
#include "wire/pcap-file.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

/** Two records at 1.5 s and 2.000007 s: "abcd" whole, and "ef" of six bytes. Little endian. */
const std::string LITTLE = "d4c3b2a1 0200 0400 00000000 00000000 10000000 01000000"
                           "01000000 20a10700 04000000 04000000 61626364"
                           "02000000 07000000 02000000 06000000 6566";

const std::string BIG = "a1b2c3d4 0002 0004 00000000 00000000 00000010 00000001"
                        "00000001 0007a120 00000004 00000004 61626364"
                        "00000002 00000007 00000002 00000006 6566";

/** The text of a record: time, length, bytes. */
std::string
Show(const PcapRecord& record)
{
    return std::to_string(record.timeNs) + " " + std::to_string(record.originalBytes) + " " +
           ToHex(record.bytes);
}

struct Contents
{
    std::vector<std::string> records;
    Diagnostics errors;
};

Contents
ReadAll(const std::vector<std::byte>& bytes)
{
    Expected<PcapReader> reader = PcapReader::FromBytes(bytes, "some.pcap");
    if (!reader)
    {
        return {{}, reader.Errors()};
    }
    Contents contents;
    while (true)
    {
        const Expected<std::optional<PcapRecord>> record = reader->Next();
        if (!record)
        {
            contents.errors = record.Errors();
            return contents;
        }
        if (!*record)
        {
            return contents;
        }
        contents.records.push_back(Show(**record));
    }
}

TEST(PcapFile, ReadsEitherByteOrder)
{
    for (const std::string& text : {LITTLE, BIG})
    {
        const Contents contents = ReadAll(FromHex(text));
        EXPECT_THAT(contents.records,
                    testing::ElementsAre("1500000000 4 61626364", "2000007000 6 6566"));
        EXPECT_TRUE(contents.errors.empty());
    }
    const Expected<PcapReader> reader = PcapReader::FromBytes(FromHex(BIG), "");
    EXPECT_EQ(reader->GetLinkType(), PCAP_LINK_ETHERNET);
    EXPECT_EQ(reader->GetSnapBytes(), 16U);
}

/** The other magic number: the fraction counts nanoseconds. 0x0007a120 is 500 000. */
TEST(PcapFile, ReadsNanoseconds)
{
    std::vector<std::byte> bytes = FromHex(BIG);
    std::ranges::copy(FromHex("a1b23c4d"), bytes.begin());
    EXPECT_THAT(ReadAll(bytes).records,
                testing::ElementsAre("1000500000 4 61626364", "2000000007 6 6566"));
}

TEST(PcapFile, TellsOfACutFrame)
{
    Expected<PcapReader> reader = PcapReader::FromBytes(FromHex(LITTLE), "");
    EXPECT_FALSE((*reader->Next())->IsCut());
    EXPECT_TRUE((*reader->Next())->IsCut());
}

/** Every file that ends early is complained of, unless it ends between two records. */
TEST(PcapFile, NamesThePlaceWhereAFileEndsEarly)
{
    const std::vector<std::byte> bytes = FromHex(LITTLE);
    ASSERT_EQ(bytes.size(), 24U + 20 + 18);
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        const Contents contents = ReadAll({bytes.begin(), bytes.begin() + size});
        EXPECT_EQ(contents.records.size(), size < 44 ? 0U : 1U);
        const bool isBetween = size == 24 || size == 44;
        ASSERT_EQ(contents.errors.size(), isBetween ? 0U : 1U) << size;
    }
    const Contents contents = ReadAll({bytes.begin(), bytes.end() - 1});
    EXPECT_EQ(ToString(contents.errors.front()),
              "some.pcap: record 2 at byte 44: the file ends inside the record; "
              "got '1 bytes'; expected 2 bytes");
}

TEST(PcapFile, RefusesWhatContradictsItself)
{
    struct Row
    {
        std::size_t offset;
        unsigned value;
        std::string_view message;
    };

    const std::vector<Row> rows{
        {0, 0xd3, "no pcap file"},
        {4, 3, "unknown version of pcap"},
        {32, 3, ""}, // the first record shorter: what follows is out of step
        {32, 5, "the record is longer than its frame or the snap length"},
        {16, 3, "the record is longer than its frame or the snap length"},
        {31, 1, "the time's fraction is a second or more"},
    };
    for (const Row& row : rows)
    {
        std::vector<std::byte> bytes = FromHex(LITTLE);
        bytes[row.offset] = static_cast<std::byte>(row.value);
        const Contents contents = ReadAll(bytes);
        ASSERT_EQ(contents.errors.size(), 1U) << row.offset;
        EXPECT_THAT(contents.errors.front().message, testing::StartsWith(std::string{row.message}))
            << row.offset;
    }
}

TEST(PcapFile, SaysThatAFileIsMissing)
{
    const TemporaryFolder folder;
    const Expected<PcapReader> reader = PcapReader::Open(folder.Path() / "none.pcap");
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.Errors().front().file, folder.Path() / "none.pcap");
    EXPECT_FALSE(PcapReader::Open(folder.Path())) << "a folder is no file";
}

TEST(PcapFile, WritesWhatItReads)
{
    std::string text;
    PcapWriter writer{AppendTo(text), 16};
    const std::vector<std::byte> frame = FromHex("000102030405060708090a0b0c0d0e0f1011");
    EXPECT_EQ(writer.GetRecordBytes(frame.size()), 16U + 16);
    writer.Write(1'234'567'890'123, std::span{frame}.first(4));
    writer.Write(1'234'567'890'124, frame);
    EXPECT_EQ(writer.GetBytes(), text.size());
    const auto bytes = std::as_bytes(std::span{text});
    // draft-ietf-opsawg-pcap section 4: nanosecond magic, version 2.4, snap length, Ethernet.
    EXPECT_EQ(ToHex(bytes.first(24)),
              "4d3cb2a102000400000000000000000010000000"
              "01000000");
    const Contents contents = ReadAll({bytes.begin(), bytes.end()});
    EXPECT_THAT(contents.records,
                testing::ElementsAre("1234567890123 4 00010203",
                                     "1234567890124 18 000102030405060708090a0b0c0d0e0f"));
}

} // namespace
} // namespace ns3::rdma
