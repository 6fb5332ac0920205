// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "tests/tracefile/random-operations.h"
#include "tracefile/block-encoder.h"
#include "tracefile/thread-file-stream.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

/** A thread file of three blocks with ten operations each. */
class ThreadFileStreamTest : public testing::Test
{
  protected:
    static constexpr int BLOCKS = 3;
    static constexpr int OPERATIONS = 10; // of a block

    ThreadFileStreamTest()
    {
        m_header.name = "t";
        std::vector<std::byte> buffer(1 << 14);
        m_bytes.assign(reinterpret_cast<const char*>(buffer.data()), m_header.Emit(buffer));
        RandomOperations random{5};
        BlockEncoder encoder;
        for (int block = 0; block < BLOCKS; ++block)
        {
            m_starts.push_back(m_bytes.size());
            encoder.Begin(buffer);
            for (int i = 0; i < OPERATIONS; ++i)
            {
                const TraceOperation operation = random.Make();
                EXPECT_TRUE(encoder.Append(operation));
                m_descriptions.push_back(Describe(operation));
            }
            m_bytes.append(reinterpret_cast<const char*>(buffer.data()), encoder.Finish());
        }
    }

    ThreadFileStream Open(const std::string& bytes)
    {
        const auto path = m_folder.Path() / "t.rdt";
        std::ofstream{path, std::ios::binary} << bytes;
        return ThreadFileStream{path, m_header};
    }

    /** Reads to the end or damage. @return how many operations, all of which are right */
    std::size_t ReadAll(ThreadFileStream& stream)
    {
        TraceOperation operation;
        std::size_t count = 0;
        while (stream.Next(operation))
        {
            EXPECT_EQ(Describe(operation), m_descriptions.at(count));
            ++count;
        }
        EXPECT_FALSE(stream.Next(operation));
        return count;
    }

    TemporaryFolder m_folder;
    ThreadFileHeader m_header;
    std::string m_bytes;
    std::vector<std::size_t> m_starts; ///< of the blocks
    std::vector<std::string> m_descriptions;
};

} // namespace

TEST_F(ThreadFileStreamTest, AllOperationsComeInTheirOrder)
{
    auto stream = Open(m_bytes);
    EXPECT_EQ(ReadAll(stream), m_descriptions.size());
    EXPECT_FALSE(stream.GetDamage().has_value());
}

TEST_F(ThreadFileStreamTest, ACutFileGivesTheBlocksBeforeTheCut)
{
    for (std::size_t size = m_header.GetSize(); size < m_bytes.size(); size += 13)
    {
        auto stream = Open(m_bytes.substr(0, size));
        const auto whole = static_cast<std::size_t>(
            std::ranges::count_if(m_starts, [&](std::size_t start) { return start <= size; }));
        ASSERT_EQ(ReadAll(stream), (whole - 1) * OPERATIONS) << size;
        const bool isBetween = std::ranges::count(m_starts, size) != 0;
        ASSERT_EQ(stream.GetDamage().has_value(), !isBetween) << size;
        if (!isBetween)
        {
            const std::string damage = ToString(*stream.GetDamage());
            EXPECT_THAT(damage, HasSubstr("t.rdt: byte " + std::to_string(m_starts[whole - 1])));
            EXPECT_THAT(damage, HasSubstr("the file ends inside"));
            EXPECT_THAT(damage,
                        HasSubstr(std::to_string((whole - 1) * OPERATIONS) + " operations before"));
        }
    }
}

TEST_F(ThreadFileStreamTest, EveryFlippedBitOfABlockIsNoticed)
{
    for (std::size_t bit = m_starts[1] * 8; bit < m_starts[2] * 8; bit += 61)
    {
        std::string damaged = m_bytes;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
        auto stream = Open(damaged);
        ASSERT_EQ(ReadAll(stream), std::size_t{OPERATIONS}) << bit;
        ASSERT_TRUE(stream.GetDamage().has_value()) << bit;
        EXPECT_THAT(ToString(*stream.GetDamage()),
                    HasSubstr("byte " + std::to_string(m_starts[1])));
    }
}

TEST_F(ThreadFileStreamTest, ABlockThatIsMissingIsTold)
{
    std::string damaged = m_bytes;
    damaged.erase(m_starts[1], m_starts[2] - m_starts[1]);
    auto stream = Open(damaged);
    EXPECT_EQ(ReadAll(stream), std::size_t{OPERATIONS});
    ASSERT_TRUE(stream.GetDamage().has_value());
    EXPECT_THAT(ToString(*stream.GetDamage()),
                HasSubstr("operations are missing here (10 operations before it); got 'a block "
                          "from operation 20'; expected one from operation 10"));
}

TEST_F(ThreadFileStreamTest, ZerosAtTheEndAreWhatAKilledMachineLeaves)
{
    auto stream = Open(m_bytes + std::string(4096, '\0'));
    EXPECT_EQ(ReadAll(stream), m_descriptions.size());
    ASSERT_TRUE(stream.GetDamage().has_value());
    EXPECT_THAT(ToString(*stream.GetDamage()), HasSubstr("zeros where a block should begin"));
}

TEST_F(ThreadFileStreamTest, AFileThatIsGoneIsDamage)
{
    ThreadFileStream stream{m_folder.Path() / "none.rdt", m_header};
    TraceOperation operation;
    EXPECT_FALSE(stream.Next(operation));
    ASSERT_TRUE(stream.GetDamage().has_value());
    EXPECT_THAT(ToString(*stream.GetDamage()), HasSubstr("none.rdt"));
    EXPECT_THAT(ToString(*stream.GetDamage()), HasSubstr("cannot be opened"));
}

TEST_F(ThreadFileStreamTest, TimesAndDurationsAreThoseOfTheClock)
{
    m_header.clock = {2'000'000'000, 100};
    std::vector<std::byte> buffer(1 << 12);
    BlockEncoder encoder;
    encoder.Begin(buffer);
    TraceOperation operation;
    operation.kind = OperationKind::POST_SEND;
    operation.timeNs = 300;
    operation.durationNs = 51;
    ASSERT_TRUE(encoder.Append(operation));
    std::string bytes = m_bytes.substr(0, m_header.GetSize());
    bytes.append(reinterpret_cast<const char*>(buffer.data()), encoder.Finish());
    auto stream = Open(bytes);
    ASSERT_TRUE(stream.Next(operation));
    EXPECT_EQ(operation.timeNs, 100);
    EXPECT_EQ(operation.durationNs, 25);
}

TEST_F(ThreadFileStreamTest, NumbersOfTheFileBecomeThoseOfTheTrace)
{
    std::vector<std::byte> buffer(1 << 12);
    BlockEncoder encoder;
    encoder.Begin(buffer);
    TraceOperation operation;
    operation.kind = OperationKind::CONTROL;
    operation.control.kind = ObjectKind::QUEUE_PAIR;
    operation.control.detail = ConnectionDetail{30, 3, 4791};
    const std::vector<Dependency> dependencies{{20, DependencyEvent::START, 5}};
    operation.dependencies = dependencies;
    ASSERT_TRUE(encoder.Append(operation));
    ASSERT_TRUE(encoder.Append(operation)); // damage ends the thread, whatever follows
    std::string bytes = m_bytes.substr(0, m_header.GetSize());
    bytes.append(reinterpret_cast<const char*>(buffer.data()), encoder.Finish());

    auto numbers = std::make_shared<TraceNumbers>();
    numbers->threads[20] = 2;
    numbers->processes[30] = 3;
    auto stream = Open(bytes);
    stream.SetNumbers(numbers);
    ASSERT_TRUE(stream.Next(operation));
    EXPECT_EQ(operation.dependencies.front(), (Dependency{2, DependencyEvent::START, 5}));
    EXPECT_EQ(std::get<ConnectionDetail>(operation.control.detail).peerProcess, 3u);

    numbers->processes.clear();
    auto lost = Open(bytes);
    lost.SetNumbers(numbers);
    EXPECT_FALSE(lost.Next(operation));
    EXPECT_THAT(ToString(lost.GetDamage().value()), HasSubstr("names process 30"));
    EXPECT_FALSE(lost.Next(operation));
    numbers->threads.clear();
    auto alone = Open(bytes);
    alone.SetNumbers(numbers);
    EXPECT_FALSE(alone.Next(operation));
    EXPECT_THAT(ToString(alone.GetDamage().value()), HasSubstr("names thread 20"));
    EXPECT_FALSE(alone.Next(operation));
}

} // namespace ns3::rdma
