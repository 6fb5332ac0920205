// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/capture.h"
#include "tests/conformance/verdict.h"
#include "tests/support/source-folder.h"
#include "tests/support/temporary-folder.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace ns3::rdma
{
namespace
{

namespace fs = std::filesystem;

const fs::path FOLDER = GetSourceFolder() / "tests/conformance";

std::vector<std::string>
AllNames()
{
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator{FOLDER / "captures"})
    {
        if (entry.path().extension() == ".yaml")
        {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

Description
Read(const fs::path& file)
{
    const Expected<Description> description = ReadDescription(file);
    EXPECT_TRUE(description) << file << (description ? "" : ToString(description.Errors()));
    return description ? *description : Description{};
}

Description
ReadByName(const std::string& name)
{
    return Read(FOLDER / "captures" / (name + ".yaml"));
}

Exceptions
StoredExceptions()
{
    const Expected<Exceptions> exceptions = ReadExceptions(FOLDER / "exceptions.yaml");
    EXPECT_TRUE(exceptions);
    return exceptions ? *exceptions : Exceptions{};
}

class Captures : public testing::TestWithParam<std::string>
{
};

// Captures of Linux's rxe between two hosts: each is matched packet for packet, or is an exception
// that does what stands in expected/.
TEST_P(Captures, ModelDoesWhatTheHostsDid)
{
    const Exceptions exceptions = StoredExceptions();
    const Verdict verdict = Compare(ReadByName(GetParam()), exceptions);
    const Outcome expected = exceptions.contains(GetParam()) ? Outcome::EXCEPTED : Outcome::MATCHED;
    EXPECT_EQ(verdict.outcome, expected) << ToString(GetParam(), verdict);
}

INSTANTIATE_TEST_SUITE_P(Rxe,
                         Captures,
                         testing::ValuesIn(AllNames()),
                         [](const auto& info) { return info.param; });

TEST(StoredCaptures, FourOfFiveMatchAtLeast)
{
    const std::size_t all = AllNames().size();
    EXPECT_GE(all, 80U);
    EXPECT_LE(StoredExceptions().size() * 5, all);
}

/** Description and capture of a stored name in a folder of their own, to be changed. */
class ChangedCapture : public testing::Test
{
  protected:
    /** Compares with packets that a function has changed. @param from text of the description */
    template <class Change>
    Outcome CompareChanged(const std::string& name, Change change)
    {
        Expected<Packets> packets = ReadCapture(ReadByName(name).capture);
        EXPECT_TRUE(packets);
        change(*packets);
        fs::copy_file(FOLDER / "captures" / (name + ".yaml"),
                      m_folder.Path() / "changed.yaml",
                      fs::copy_options::overwrite_existing);
        std::ofstream text{m_folder.Path() / "changed.txt"};
        for (const Packet& packet : *packets)
        {
            text << ToDecodedLine(packet) << "\n";
        }
        text.close();
        return Compare(Read(m_folder.Path() / "changed.yaml"), {}).outcome;
    }

    TemporaryFolder m_folder;
};

/** Captures that nothing has to be allowed for. */
const std::vector<std::string> EXACT{"rxe_vt_psnwrap",
                                     "rxe_vt_fence",
                                     "rxe_wire_drop_write_mid",
                                     "rxe_wire_drop_atomic_ack",
                                     "rxe_wire_dup_send_only",
                                     "rxe_rping"};

TEST_F(ChangedCapture, UnchangedItMatches)
{
    for (const std::string& name : EXACT)
    {
        EXPECT_EQ(CompareChanged(name, [](Packets&) {}), Outcome::MATCHED) << name;
    }
}

TEST_F(ChangedCapture, AnyMissingPacketIsNoticed)
{
    for (const std::string& name : EXACT)
    {
        const std::size_t count = ReadCapture(ReadByName(name).capture)->size();
        for (std::size_t index = 0; index < count; ++index)
        {
            const auto erase = [index](Packets& packets)
            { packets.erase(packets.begin() + static_cast<std::ptrdiff_t>(index)); };
            EXPECT_EQ(CompareChanged(name, erase), Outcome::DIFFERS) << name << " " << index;
        }
    }
}

TEST_F(ChangedCapture, AnyChangedFieldIsNoticed)
{
    const std::vector<void (*)(Packet&)> changes{
        [](Packet& packet) { packet.ackRequest = !packet.ackRequest; },
        [](Packet& packet) { packet.isSolicited = !packet.isSolicited; },
        [](Packet& packet) { packet.payloadBytes += 4; },
        [](Packet& packet) { packet.padBytes ^= 1; },
        [](Packet& packet) { packet.isDamaged = true; }};
    for (const std::string& name : EXACT)
    {
        for (const auto change : changes)
        {
            const auto changeLast = [change](Packets& packets) { change(packets.back()); };
            EXPECT_EQ(CompareChanged(name, changeLast), Outcome::DIFFERS) << name;
        }
    }
}

// Another version of the tool: a message of another size each way, and the model follows.
TEST_F(ChangedCapture, ParametersAreExchangedAsInTheCapture)
{
    const auto lengthen = [](Packets& packets)
    {
        for (Packet& packet : packets)
        {
            const bool isFirst = packet.opcode == Opcode::RC_SEND_ONLY && packet.payloadBytes == 16;
            packet.payloadBytes = isFirst ? 20 : packet.payloadBytes;
        }
    };
    EXPECT_EQ(CompareChanged("rxe_ib_atomic_lat_R", lengthen), Outcome::MATCHED);
}

// Without the fault on the wire, or with another, the model cannot do what the capture shows.
TEST(StoredCaptures, FaultOfTheWireIsNeeded)
{
    for (const char* name : {"rxe_wire_drop_write_mid",
                             "rxe_wire_drop_ack",
                             "rxe_wire_dup_write_mid",
                             "rxe_wire_reorder_write_by1",
                             "rxe_wire_bad_icrc_data"})
    {
        Description description = ReadByName(name);
        description.wire = {};
        EXPECT_EQ(Compare(description, {}).outcome, Outcome::DIFFERS) << name;
    }
}

// The policy is compared, too: the standard's answers are not rxe's.
TEST(StoredCaptures, PolicyIsNeeded)
{
    Description description = ReadByName("rxe_vt_ackreq_long");
    description.policy = "standard";
    EXPECT_EQ(Compare(description, {}).outcome, Outcome::DIFFERS);
}

TEST(StoredCaptures, CompletionsAreCompared)
{
    Description description = ReadByName("rxe_vt_bad_rkey_write_only");
    description.outputs[CLIENT]->sends.at(0).status = CompletionStatus::SUCCESS;
    EXPECT_EQ(Compare(description, {}).outcome, Outcome::DIFFERS);
}

TEST(StoredCaptures, BuffersAreCompared)
{
    Description description = ReadByName("rxe_vt_psnwrap");
    ASSERT_EQ(description.outputs[SERVER]->buffer, "6465666768696a6b"); // what the client wrote
    description.outputs[SERVER]->buffer = "a0a1a2a3a4a5a6a7";
    EXPECT_EQ(Compare(description, {}).outcome, Outcome::DIFFERS);
}

TEST(StoredCaptures, ExceptionThatIsNotNeededDiffers)
{
    const std::string name = "rxe_vt_psnwrap";
    const Exceptions needless{
        {name, {"none", "none", "rxe", FOLDER / "captures" / (name + ".txt")}}};
    EXPECT_EQ(Compare(ReadByName(name), needless).outcome, Outcome::DIFFERS);
}

// The captures themselves, where they are: what the decoded text says is what this tree's reader
// of pcap files finds in them.
class PcapFiles : public testing::TestWithParam<std::string>
{
};

TEST_P(PcapFiles, HoldWhatTheDecodedTextSays)
{
    const fs::path pcap = GetSourceFolder() / "../shared/captures/pcap" / (GetParam() + ".pcap");
    if (!fs::exists(pcap))
    {
        GTEST_SKIP() << "no captures beside the tree: " << pcap;
    }
    const Expected<Packets> packets = ReadCapture(pcap);
    const Expected<Packets> decoded = ReadCapture(FOLDER / "captures" / (GetParam() + ".txt"));
    ASSERT_TRUE(packets && decoded);
    ASSERT_EQ(packets->size(), decoded->size());
    for (std::size_t n = 0; n < packets->size(); ++n)
    {
        EXPECT_EQ(ToString((*packets)[n]), ToString((*decoded)[n])) << n;
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         PcapFiles,
                         testing::ValuesIn(AllNames()),
                         [](const auto& info) { return info.param; });

} // namespace
} // namespace ns3::rdma
