// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/verbs-bench.h"
#include "wire/foreign-frame.h"
#include "wire/frame-bytes.h"
#include "wire/ipv4.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

/** Takes notes of what arrives and of what starts. */
class NotingStack : public ForeignStack
{
  public:
    void OnForeignFrame(const Frame& frame, SimTime now) override
    {
        std::vector<std::byte> bytes(frame.payloadBytes);
        WriteForeignFrame(frame, bytes);
        received.push_back(std::move(bytes));
        times.push_back(now);
    }

    void OnForeignStart(uint8_t, uint64_t queueBytes, SimTime start) override
    {
        left.push_back(queueBytes);
        starts.push_back(start);
    }

    std::vector<std::vector<std::byte>> received;
    std::vector<SimTime> times;
    std::vector<uint64_t> left;
    std::vector<SimTime> starts;
};

/** Puts an IPv4 packet of so many bytes, header and all, into an interface's queue. */
void
Send(Rnic& from, uint32_t to, uint16_t bytes, uint8_t priority, SimTime now)
{
    ForeignPort& port = *from.GetForeignPort();
    Frame* frame = port.Create(EthernetFields::SIZE + bytes);
    const std::span<std::byte> room{frame->GetPayload()->bytes};
    std::ranges::fill(room, std::byte{0x5c});
    const uint32_t source = port.GetSetup().address;
    EthernetFields{InterfaceMac(to), InterfaceMac(source), ETHERTYPE_IPV4}.Emit(
        room.first<EthernetFields::SIZE>());
    Ipv4Fields ip{.trafficClass = static_cast<uint8_t>(priority << 5),
                  .totalLength = bytes,
                  .protocol = 253, // for experiments: RFC 3692
                  .source = InterfaceIpv4(source),
                  .destination = InterfaceIpv4(to)};
    ip.checksum = ip.ComputeChecksum();
    ip.Emit(room.subspan<EthernetFields::SIZE, Ipv4Fields::SIZE>());
    DescribeForeign(*frame, {source, to});
    port.Send(frame, now);
}

TEST(ForeignPort, CarriesBytesAtTheRateOfTheWire)
{
    VerbsBench bench{MakeTestScenario(MakeStar(2, BitRate::Gbps(100), SimTime::Microseconds(1)))};
    NotingStack stackA;
    NotingStack stackB;
    bench.a.GetDevice().GetForeignPort()->Attach(&stackA);
    bench.b.GetDevice().GetForeignPort()->Attach(&stackB);
    Send(bench.a.GetDevice(), 1, 1500, 0, {});
    Send(bench.a.GetDevice(), 1, 1500, 0, {});
    Send(bench.a.GetDevice(), 1, 21, 0, {});
    bench.Run();

    // 1500 + 14 + 4 bytes, 8 before and 12 behind, 80 ps each; two cables, a switch between them.
    const auto frame = [](uint64_t bytes) { return SimTime{80 * (8 + bytes)}; };
    const SimTime gap{80 * 12};
    const SimTime first = 2 * SimTime::Microseconds(1) + frame(1518) + frame(1518);
    EXPECT_THAT(stackB.times,
                testing::ElementsAre(
                    first, first + frame(1518) + gap, first + frame(1518) + gap + gap + frame(64)));
    EXPECT_THAT(stackA.left, testing::ElementsAre(0, 64, 0)); // the first never waits
    ASSERT_EQ(stackB.received.size(), 3U);
    EXPECT_EQ(stackB.received[0].size(), 1514U);
    EXPECT_EQ(stackB.received[0].back(), std::byte{0x5c});
    EXPECT_EQ(stackB.received[2].size(), 35U); // without the padding
    EXPECT_TRUE(stackA.received.empty());
}

TEST(ForeignPort, FramesThatNobodyWantsAreCounted)
{
    VerbsBench bench;
    NotingStack stack;
    bench.a.GetDevice().GetForeignPort()->Attach(&stack);
    Send(bench.a.GetDevice(), 1, 1500, 0, {});
    bench.Run();
    const RnicCounters& counters = bench.b.GetDevice().GetCounters();
    EXPECT_EQ(counters.drops[static_cast<std::size_t>(DropReason::NO_STACK)], 1U);
    EXPECT_EQ(bench.a.GetDevice().GetCounters().foreignFramesSent, 1U);
}

/** Bytes of frames of a and of connections on the wire while both always have something. */
std::pair<uint64_t, uint64_t>
ShareWithConnection(const std::string& weights, uint8_t priority)
{
    Scenario scenario =
        MakeTestScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}));
    scenario.nic.Set("Weights", StringValue{weights});
    VerbsBench bench{scenario};
    NotingStack stack;
    bench.a.GetDevice().GetForeignPort()->Attach(&stack);
    const Qpn qp = bench.Connect(VerbsBench::MakeAttributes()).a;
    SendRequest write;
    write.rkey = bench.b.GetKey();
    EXPECT_TRUE(bench.a.Post(qp, write, 20'000'000).IsOk()); // 1.6 ms, in class 3
    for (int i = 0; i < 5000; ++i)
    {
        Send(bench.a.GetDevice(), 1, 1500, priority, {}); // 0.6 ms
    }
    const ForeignPort& port = *bench.a.GetDevice().GetForeignPort();
    const uint64_t before = port.CountHeld().all.frames;
    Simulator::Stop(MicroSeconds(400));
    Simulator::Run();
    port.GetPort().Advance(SimTime::Microseconds(400));
    const uint64_t foreign = (before - port.CountHeld().all.frames) * (1518 + 20);
    return {foreign, port.GetPort().GetCounters().wireBytes - foreign};
}

TEST(ForeignPort, HigherPriorityGoesFirstWithoutWeights)
{
    EXPECT_EQ(ShareWithConnection("", 0).first, 0U);
    const auto [foreign, own] = ShareWithConnection("", 4);
    EXPECT_NEAR(double(foreign), 400e-6 * 100e9 / 8, 1538);
}

TEST(ForeignPort, PrioritiesShareByWeight)
{
    for (const auto& [weights, expected] : std::map<std::string, double>{
             {"1 1 1 1 1 1 1 1", 1.0}, {"1 1 1 3 1 1 1 1", 3.0}, {"4 1 1 1 1 1 1 1", 0.25}})
    {
        const auto [foreign, own] = ShareWithConnection(weights, 0);
        EXPECT_NEAR(double(own) / double(foreign), expected, 0.005 * expected) << weights;
        EXPECT_NEAR(double(own + foreign), 400e-6 * 100e9 / 8, 2 * 1538);
    }
}

TEST(ForeignPort, WithinOnePriorityBothGetHalf)
{
    const auto [foreign, own] = ShareWithConnection("", 3);
    EXPECT_NEAR(double(own), double(foreign), 2 * 1538);
}

} // namespace
} // namespace ns3::rdma
