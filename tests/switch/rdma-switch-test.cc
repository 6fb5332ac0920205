// SPDX-License-Identifier: GPL-2.0-only
#include "switch/rdma-switch.h"
#include "tests/support/port-bench.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <gmock/gmock.h>
#include <memory>
#include <string>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::Pair;

constexpr SimTime US = SimTime::Microseconds(1);
constexpr SimTime CABLE = US;
constexpr uint16_t FRAME = 1000;

/** A switch of some ports of 100 Gb/s with a noting owner at the end of each cable. */
class RdmaSwitchTest : public testing::Test
{
  protected:
    static constexpr uint16_t PORTS = 4;

    RdmaSwitchTest()
    {
        m_buffer.SetTypeId("ns3::rdma::SharedBuffer");
        m_marker.SetTypeId("ns3::rdma::NoMarker");
        m_config.rate = BitRate::Gbps(100);
        m_config.pfc.lossless = PriorityBit(3);
        m_config.pfc.responseTime = SimTime{};
    }

    ~RdmaSwitchTest() override
    {
        m_switch->Dispose();
    }

    /** Builds the switch; destination n is behind port n, destination PORTS behind 2 and 3. */
    void Build()
    {
        m_switch = CreateObject<RdmaSwitch>();
        m_switch->SetUp({.events = &m_events,
                         .ledger = &m_ledger,
                         .id = 1,
                         .name = "s",
                         .seed = 1,
                         .buffer = m_buffer.Create<BufferPolicy>(),
                         .marker = m_marker.Create<Marker>(),
                         .path = ObjectFactory{"ns3::rdma::EcmpPath"}.Create<PathPolicy>()});
        BufferSetup setup{.ports = {}, .pfc = m_config.pfc, .maxFrameBytes = FRAME};
        ForwardingTable table{PORTS};
        for (uint16_t port = 0; port < PORTS; ++port)
        {
            AddPort(port);
            setup.ports.push_back({"s/" + std::to_string(port), m_config.rate, CABLE});
            table.AddDestination(std::vector<uint32_t>{port});
        }
        table.AddDestination(std::vector<uint32_t>{2, 3});
        table.AddDestination({});
        m_switch->SetForwardingTable(table);
        std::vector<std::string> notes;
        EXPECT_TRUE(m_switch->Start(setup, notes, m_warnings).empty());
    }

    /** The end of a cable sends a frame to a destination. */
    void Send(uint16_t from, uint32_t destination, uint8_t priority = 3, uint32_t hash = 0)
    {
        Frame* frame = m_ledger.Create(FrameKind::ROCE, FRAME);
        frame->priority = priority;
        frame->destination = destination;
        frame->flowHash = hash;
        frame->flow = m_sent++;
        frame->ecn = Ecn::ECT_0;
        EthernetPort& port = *m_ends[from];
        port.Advance(m_events.Now());
        port.Enqueue(frame, m_events.Now());
    }

    void RunTo(SimTime time)
    {
        while (!m_events.RunBefore(time))
        {
        }
        m_events.AdvanceTo(time);
    }

    EventQueue m_events;
    FrameLedger m_ledger;
    ObjectFactory m_buffer;
    ObjectFactory m_marker;
    PortConfig m_config;
    SimTime m_cableOfPort2{CABLE};
    Ptr<RdmaSwitch> m_switch;
    std::vector<std::unique_ptr<NotingOwner>> m_owners;
    std::vector<std::unique_ptr<EthernetPort>> m_ends;
    std::vector<std::string> m_warnings;
    uint32_t m_sent{0};

  private:
    void AddPort(uint16_t port)
    {
        m_config.id = 2 * uint64_t{port};
        m_config.delay = port == 2 ? m_cableOfPort2 : CABLE;
        EthernetPort& own = m_switch->AddPort(
            m_config,
            ObjectFactory{"ns3::rdma::StrictPriorityScheduler"}.Create<EgressScheduler>());
        ++m_config.id;
        m_owners.push_back(std::make_unique<NotingOwner>(m_ledger));
        const PortPlace place{m_events, m_ledger, *m_owners.back(), 0};
        m_ends.push_back(std::make_unique<EthernetPort>(place, m_config, RandomStream{1, "end"}));
        EthernetPort::Connect(own, *m_ends.back());
    }
};

// Store and forward, no time of its own: (8 + 1000) x 80 ps and the cable, twice.
TEST_F(RdmaSwitchTest, ForwardsToItsDestination)
{
    Build();
    Send(0, 2);
    RunTo(10 * US);
    EXPECT_THAT(m_owners[2]->arrivals,
                ElementsAre(FrameNote{2 * (SimTime{1008 * 80} + CABLE), 0, 3, FRAME}));
    EXPECT_TRUE(m_owners[1]->arrivals.empty());
    m_switch->Settle(10 * US);
    EXPECT_EQ(m_switch->GetBuffer().GetHeldBytes(), 0U);
}

TEST_F(RdmaSwitchTest, FrameWithoutAWayIsDroppedWithAReason)
{
    Build();
    std::vector<std::pair<DropReason, SimTime>> drops;
    const auto note = [&drops](std::string, DropReason reason, SimTime when)
    { drops.emplace_back(reason, when); };
    m_switch->TraceConnectWithoutContext("Drop",
                                         Callback<void, std::string, DropReason, SimTime>{note});
    Send(0, PORTS + 1);
    RunTo(10 * US);
    EXPECT_EQ(m_switch->GetCounters().drops[static_cast<std::size_t>(DropReason::NO_ROUTE)], 1U);
    EXPECT_EQ(m_ledger.GetDropped(DropReason::NO_ROUTE), (FrameCount{1, FRAME}));
    EXPECT_THAT(drops, ElementsAre(Pair(DropReason::NO_ROUTE, SimTime{1008 * 80} + CABLE)));
    EXPECT_EQ(m_switch->ChoosePort(PORTS + 1, 0), -1);
}

// The same hash always takes the same of two ports, and both are taken by some.
TEST_F(RdmaSwitchTest, EqualCostPortsAreChosenByHash)
{
    Build();
    int first = 0;
    for (uint32_t hash = 0; hash < 1000; ++hash)
    {
        const int port = m_switch->ChoosePort(PORTS, hash * 0x9e3779b9U);
        ASSERT_TRUE(port == 2 || port == 3);
        ASSERT_EQ(m_switch->ChoosePort(PORTS, hash * 0x9e3779b9U), port);
        first += port == 2 ? 1 : 0;
    }
    EXPECT_NEAR(first, 500, 64) << "four standard deviations of 15.8";
}

// Ports 0 and 1 send to 2. With a threshold of 30 frames each is paused once its 30 wait; the PAUSE
// holds 65535 quanta, XON follows when the queue has gone down by two largest frames. What waits
// then, 28 000 bytes each, is more than leaves until new frames come (2.2 us x 6.25 GB/s).
TEST_F(RdmaSwitchTest, PausesTheIngressThatFillsAndResumesIt)
{
    m_buffer.Set("Xoff", StringValue("30000B"));
    Build();
    for (int frame = 0; frame < 200; ++frame)
    {
        Send(0, 2);
        Send(1, 2);
    }
    RunTo(100 * US);
    for (const std::size_t port : {0, 1})
    {
        const auto& pauses = m_owners[port]->pauses;
        ASSERT_GE(pauses.size(), 2U);
        EXPECT_EQ(pauses[0].priority, 3);
        EXPECT_EQ(pauses[0].quanta, 65535);
        EXPECT_EQ(pauses[1].quanta, 0);
        EXPECT_EQ(pauses.size() % 2, 0U) << "each PAUSE has its XON";
    }
    EXPECT_TRUE(m_owners[2]->pauses.empty());
    EXPECT_EQ(m_owners[2]->arrivals.size(), 400U);
    // The link never idles: 400 frames of 1020 bytes at 80 ps, less the last gap.
    EXPECT_EQ(m_owners[2]->arrivals.back().time,
              2 * CABLE + SimTime{(1008 + 400 * 1020 - 12) * 80});
}

/** The same with lazy ports, and with an event for each departure. */
class RdmaSwitchEagerTest : public RdmaSwitchTest, public testing::WithParamInterface<bool>
{
};

// Pauses after very few frames, and then silence: XON leaves at the departure that allows it, not
// when something next happens. In units of a frame's time, 81 600 ps, from the first arrival at
// 1 080 640 ps: port 1's frame n comes at n - 1 and, being number 2 n on the way out, leaves at 2
// n. With a threshold of three frames and XON at two:
//   3: frame 4 comes, 1 has left: three are held, PAUSE
//   4: frame 2 leaves: XON; frame 5 comes: PAUSE, behind the 84 bytes of the XON
//   5: frame 6 comes, into the headroom
//   6: frame 3 leaves, from the headroom: three are held
//   8: frame 4 leaves: XON
// The cable to the receiver is so long that no arrival there tells of these departures in time.
TEST_P(RdmaSwitchEagerTest, ResumesAtTheDepartureItself)
{
    m_config.isEager = GetParam();
    m_cableOfPort2 = 20 * US;
    m_buffer.Set("Xoff", StringValue("3000B"));
    m_buffer.Set("XonOffset", StringValue("1000B"));
    Build();
    for (int frame = 0; frame < 6; ++frame)
    {
        Send(0, 2);
        Send(1, 2);
    }
    RunTo(100 * US);
    const auto received = [](uint64_t frames)
    { return SimTime{1'080'640 + frames * 81'600 + 72 * 80} + CABLE; };
    EXPECT_THAT(m_owners[1]->pauses,
                ElementsAre(PauseNote{received(3), 3, 65535},
                            PauseNote{received(4), 3, 0},
                            PauseNote{received(4) + SimTime{84 * 80}, 3, 65535},
                            PauseNote{received(8), 3, 0}));
}

INSTANTIATE_TEST_SUITE_P(Ports, RdmaSwitchEagerTest, testing::Bool());

// Frames of the lossy priority 1 take the same way without a pause, whatever waits.
TEST_F(RdmaSwitchTest, LossyPriorityPausesNobody)
{
    m_buffer.Set("Xoff", StringValue("10000B"));
    Build();
    for (int frame = 0; frame < 200; ++frame)
    {
        Send(0, 2, 1);
        Send(1, 2, 1);
    }
    RunTo(100 * US);
    EXPECT_TRUE(m_owners[0]->pauses.empty());
    EXPECT_TRUE(m_owners[1]->pauses.empty());
    EXPECT_EQ(m_owners[2]->arrivals.size(), 400U);
}

// Two ports send 50 frames each to a third; the threshold is 5 frames, at dequeue. Pairs arrive at
// the pace at which single frames leave: when frame k starts, the pairs before k are there, and at
// its very instant pair k comes after it. So k - 1 frames stay behind it up to k = 49, and 99 - k
// from then on: marked are 6 .. 49 and 50 .. 94.
TEST_F(RdmaSwitchTest, MarksAndCountsByPort)
{
    m_marker.SetTypeId("ns3::rdma::StepMarker");
    m_marker.Set("Threshold", StringValue("5000B"));
    Build();
    for (int frame = 0; frame < 50; ++frame)
    {
        Send(0, 2);
        Send(1, 2);
    }
    Send(3, 1);
    RunTo(100 * US);
    EXPECT_EQ(m_switch->GetMarkedFrames(2), m_switch->GetCounters().markedFrames);
    EXPECT_EQ(m_switch->GetMarkedFrames(1), 0U);
    EXPECT_EQ(m_switch->GetMarkedFrames(2), 44U + 45);
}

// A refresh follows after half of the pause time while the pause lasts: 1000 quanta are 5.12 us.
TEST_F(RdmaSwitchTest, RepeatsAPauseThatMustLast)
{
    m_buffer.Set("Xoff", StringValue("10000B"));
    m_config.pfc.quanta = 1000;
    Build();
    m_ends[2]->SendPfc(PriorityBit(3), 65535, {});
    RunTo(5 * US);
    for (int frame = 0; frame < 100; ++frame)
    {
        Send(0, 2);
    }
    RunTo(60 * US);
    const auto& pauses = m_owners[0]->pauses;
    ASSERT_GE(pauses.size(), 10U);
    for (std::size_t n = 1; n < pauses.size(); ++n)
    {
        EXPECT_EQ(pauses[n].quanta, 1000);
        EXPECT_EQ(pauses[n].time - pauses[n - 1].time, SimTime{2'560'000});
    }
    EXPECT_LT(m_ends[0]->GetCounters().frames, 50U) << "it stayed paused";
}

} // namespace
} // namespace ns3::rdma
