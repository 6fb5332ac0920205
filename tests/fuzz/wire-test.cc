// SPDX-License-Identifier: GPL-2.0-only
// Captured frames and files with seeded damage: a million frames, a hundred thousand files.
#include "tests/fuzz/wire-properties.h"
#include "tests/wire/wire-samples.h"

#include <gmock/gmock.h>
#include <random>

namespace ns3::rdma
{
namespace
{

using Bytes = std::vector<std::byte>;

constexpr uint64_t SEED = 1;
constexpr int FRAMES = 1'000'000;
constexpr int FILES = 100'000;
constexpr std::size_t MAX_CHANGES = 6;

/** Damages bytes; the same seed does the same on every machine. */
class Mutator
{
  public:
    explicit Mutator(uint64_t seed) : m_random{seed} {}

    /** A number below limit; slightly uneven, which does not matter here. */
    std::size_t Below(std::size_t limit)
    {
        return m_random() % limit;
    }

    /** Some changes, each of one kind: a bit, a byte, an interesting byte, the size. */
    void Damage(Bytes& bytes)
    {
        for (std::size_t changes = Below(MAX_CHANGES); changes > 0 && !bytes.empty(); --changes)
        {
            Change(bytes);
        }
    }

  private:
    void Change(Bytes& bytes)
    {
        // Half of the changes go where the headers are.
        const std::size_t range =
            Below(2) == 0 ? std::min<std::size_t>(bytes.size(), 64) : bytes.size();
        std::byte& byte = bytes[Below(range)];
        constexpr std::array<unsigned, 6> INTERESTING{0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff};
        switch (Below(6))
        {
        case 0:
            bytes.resize(Below(bytes.size() + 1));
            break;
        case 1:
            bytes.resize(bytes.size() + Below(9), std::byte{0x5a});
            break;
        case 2:
            byte = static_cast<std::byte>(INTERESTING[Below(INTERESTING.size())]);
            break;
        case 3:
            byte = static_cast<std::byte>(Below(256));
            break;
        default:
            byte ^= std::byte{1} << Below(8);
            break;
        }
    }

    std::mt19937_64 m_random;
};

/** Makes the checks that guard the rest fit again: the IPv4 checksum, and lengths if asked. */
void
Repair(Bytes& frame, bool hasLengths)
{
    constexpr std::size_t IP = EthernetFields::SIZE;
    constexpr std::size_t UDP_LENGTH = IP + Ipv4Fields::SIZE + 4;
    if (frame.size() < IP + Ipv4Fields::SIZE + UdpFields::SIZE)
    {
        return;
    }
    const auto bytes = std::span{frame}.subspan(IP).first<Ipv4Fields::SIZE>();
    std::optional<Ipv4Fields> fields = Ipv4Fields::Parse(bytes);
    if (!fields)
    {
        return;
    }
    if (hasLengths)
    {
        fields->totalLength = static_cast<uint16_t>(frame.size() - IP);
        StoreBigEndian(std::span{frame},
                       UDP_LENGTH,
                       static_cast<uint16_t>(fields->totalLength - Ipv4Fields::SIZE));
    }
    fields->checksum = fields->ComputeChecksum();
    fields->Emit(bytes);
}

TEST(WireFuzz, DamagedFramesAreHarmless)
{
    std::vector<Bytes> samples;
    for (const SampleFrame& sample : ReadSampleFrames())
    {
        samples.push_back(sample.bytes);
    }
    ASSERT_FALSE(samples.empty());
    Mutator mutator{SEED};
    std::map<RoceError, int> errors;
    int packets = 0;
    for (int i = 0; i < FRAMES; ++i)
    {
        Bytes frame = samples[mutator.Below(samples.size())];
        mutator.Damage(frame);
        if (const std::size_t choice = mutator.Below(4); choice != 0)
        {
            Repair(frame, choice != 1);
        }
        frame.shrink_to_fit(); // a sanitizer guards the end of the allocation
        const std::string_view failed = CheckFrameProperties(frame);
        ASSERT_TRUE(failed.empty()) << failed << ", input " << i << ": " << ToHex(frame);
        const auto result = RocePacket::Parse(frame);
        const auto* error = std::get_if<RoceError>(&result);
        ++(error == nullptr ? packets : errors[*error]);
    }
    // The damage reaches every part of the parser.
    EXPECT_GT(packets, FRAMES / 10);
    EXPECT_EQ(errors.size(), static_cast<std::size_t>(RoceError::UNEXPECTED_PAYLOAD) + 1);
    for (const auto& [error, count] : errors)
    {
        EXPECT_GT(count, FRAMES / 1000) << ToString(error);
    }
}

TEST(WireFuzz, DamagedFilesAreHarmless)
{
    std::string text;
    PcapWriter writer{AppendTo(text)};
    for (const SampleFrame& sample : ReadSampleFrames())
    {
        if (sample.bytes.size() < 100 && writer.GetBytes() < 2000)
        {
            writer.Write(writer.GetBytes(), sample.bytes);
        }
    }
    const auto whole = std::as_bytes(std::span{text});
    Mutator mutator{SEED};
    for (int i = 0; i < FILES; ++i)
    {
        Bytes file{whole.begin(), whole.end()};
        mutator.Damage(file);
        file.shrink_to_fit();
        const std::string_view failed = CheckPcapProperties(file);
        ASSERT_TRUE(failed.empty()) << failed << ", input " << i << ": " << ToHex(file);
    }
}

} // namespace
} // namespace ns3::rdma
