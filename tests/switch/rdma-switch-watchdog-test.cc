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

using testing::AllOf;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;

constexpr SimTime MS = SimTime::Milliseconds(1);
constexpr uint16_t FRAME = 1000;
constexpr uint16_t PORTS = 3;
constexpr uint8_t LOSSLESS = 3;
constexpr uint16_t VICTIM = 2; ///< the port whose peer storms

/** A PAUSE of 65535 quanta lasts 335.5 us at 100 Gb/s; a storm repeats it before it ends. */
constexpr SimTime STORM_INTERVAL = SimTime::Microseconds(300);

struct StormNote
{
    bool isDetected{false};
    WatchdogReport report{};
    SimTime time{};
};

/**
 * A switch of 100 Gb/s with a watchdog of 200, 200 and 100 ms, as in SONiC's test plan, and a
 * noting owner at the end of each cable. Destination n is behind port n.
 */
class RdmaSwitchWatchdog : public testing::Test
{
  protected:
    explicit RdmaSwitchWatchdog(WatchdogAction action = WatchdogAction::DROP,
                                PriorityMask lossless = PriorityBit(LOSSLESS) |
                                                        PriorityBit(LOSSLESS + 1))
    {
        m_config.rate = BitRate::Gbps(100);
        m_config.delay = SimTime::Microseconds(1);
        m_config.pfc.lossless = lossless;
        Build({.action = action, .detection = 200 * MS, .restoration = 200 * MS, .poll = 100 * MS});
    }

    ~RdmaSwitchWatchdog() override
    {
        m_switch->Dispose();
    }

    void Send(uint16_t from, uint16_t to, uint8_t priority = LOSSLESS)
    {
        Frame* frame = m_ledger.Create(FrameKind::ROCE, FRAME);
        frame->priority = priority;
        frame->destination = to;
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

    /** The end of the victim's cable pauses priorities again and again, until a time. */
    void StormUntil(SimTime end, PriorityMask priorities = PriorityBit(LOSSLESS))
    {
        for (SimTime t = m_events.Now(); t < end; t += STORM_INTERVAL)
        {
            RunTo(t);
            m_ends[VICTIM]->SendPfc(priorities, PFC_MAX_QUANTA, t);
        }
        RunTo(end);
    }

    uint64_t CountArrived(uint8_t priority = LOSSLESS) const
    {
        const auto& arrivals = m_owners[VICTIM]->arrivals;
        return static_cast<uint64_t>(std::count_if(arrivals.begin(),
                                                   arrivals.end(),
                                                   [priority](const auto& note)
                                                   { return note.priority == priority; }));
    }

    uint64_t CountDropped() const
    {
        return m_ledger.GetDropped(DropReason::PFC_WATCHDOG).frames;
    }

    EventQueue m_events;
    FrameLedger m_ledger;
    PortConfig m_config;
    Ptr<RdmaSwitch> m_switch;
    std::vector<std::unique_ptr<NotingOwner>> m_owners;
    std::vector<std::unique_ptr<EthernetPort>> m_ends;
    std::vector<StormNote> m_storms;

  private:
    void Build(const WatchdogConfig& watchdog)
    {
        m_switch = CreateObject<RdmaSwitch>();
        m_switch->SetUp({.events = &m_events,
                         .ledger = &m_ledger,
                         .id = 1,
                         .name = "s",
                         .seed = 1,
                         .buffer = ObjectFactory{"ns3::rdma::SharedBuffer"}.Create<BufferPolicy>(),
                         .marker = ObjectFactory{"ns3::rdma::NoMarker"}.Create<Marker>(),
                         .path = ObjectFactory{"ns3::rdma::EcmpPath"}.Create<PathPolicy>(),
                         .watchdog = watchdog});
        BufferSetup setup{.ports = {}, .pfc = m_config.pfc, .maxFrameBytes = FRAME};
        ForwardingTable table{PORTS};
        for (uint16_t port = 0; port < PORTS; ++port)
        {
            AddPort(port);
            setup.ports.push_back({"s/" + std::to_string(port), m_config.rate, m_config.delay});
            table.AddDestination(std::vector<uint32_t>{port});
        }
        m_switch->SetForwardingTable(table);
        std::vector<std::string> messages;
        EXPECT_THAT(m_switch->Start(setup, messages, messages), IsEmpty());
        const auto note = [this](std::string, const WatchdogReport& report, SimTime now) {
            m_storms.push_back({report.verdict == WatchdogVerdict::DETECTED, report, now});
        };
        m_switch->TraceConnectWithoutContext(
            "Watchdog", Callback<void, std::string, const WatchdogReport&, SimTime>{note});
    }

    void AddPort(uint16_t port)
    {
        m_config.id = 2 * uint64_t{port};
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

class RdmaSwitchForwarding : public RdmaSwitchWatchdog
{
  protected:
    RdmaSwitchForwarding() : RdmaSwitchWatchdog{WatchdogAction::FORWARD} {}
};

class RdmaSwitchAlert : public RdmaSwitchWatchdog
{
  protected:
    RdmaSwitchAlert() : RdmaSwitchWatchdog{WatchdogAction::ALERT} {}
};

class RdmaSwitchAllLossless : public RdmaSwitchWatchdog
{
  protected:
    RdmaSwitchAllLossless() : RdmaSwitchWatchdog{WatchdogAction::DROP, 0xff} {}
};

/** The same for storms that begin at different times between two looks, in milliseconds. */
class RdmaSwitchStormPhase : public RdmaSwitchWatchdog, public testing::WithParamInterface<uint64_t>
{
  protected:
    void Begin()
    {
        RunTo(GetParam() * MS);
        m_ends[VICTIM]->SendPfc(PriorityBit(LOSSLESS), PFC_MAX_QUANTA, m_events.Now());
        RunTo(m_events.Now() + SimTime::Microseconds(20));
        Send(0, VICTIM);
    }
};

} // namespace

// Looks at 100, 200 and 300 ms show the queue blocked; the last pause ends 0.34 ms after 380 ms,
// and the first look 200 ms later is that at 600 ms. Dropped: ten that wait, ten that come while
// there are pauses, ten that come before the restoration.
TEST_F(RdmaSwitchWatchdog, AStormOf350MsIsDetectedAndItsClassDroppedUntilItIsRestored)
{
    RunTo(30 * MS);
    const auto send = [this]
    {
        for (int i = 0; i < 10; ++i)
        {
            Send(i % 2, VICTIM);
        }
    };
    StormUntil(40 * MS);
    send();
    StormUntil(299 * MS);
    EXPECT_EQ(CountDropped(), 0U);
    StormUntil(310 * MS);
    EXPECT_EQ(CountDropped(), 10U);
    send();
    StormUntil(380 * MS);
    EXPECT_EQ(CountDropped(), 20U);
    RunTo(590 * MS);
    send();
    RunTo(601 * MS);
    EXPECT_EQ(CountDropped(), 30U);
    EXPECT_EQ(CountArrived(), 0U);
    send();
    RunTo(2'000 * MS);
    EXPECT_EQ(CountArrived(), 10U) << "all that comes after the restoration";
    EXPECT_EQ(CountDropped(), 30U);

    ASSERT_EQ(m_storms.size(), 2U);
    EXPECT_TRUE(m_storms[0].isDetected);
    EXPECT_EQ(m_storms[0].time, 300 * MS);
    EXPECT_EQ(m_storms[0].report.dropped, (FrameCount{10, 10 * FRAME}));
    EXPECT_FALSE(m_storms[1].isDetected);
    EXPECT_EQ(m_storms[1].time, 600 * MS);
    EXPECT_EQ(m_storms[1].report.dropped, (FrameCount{30, 30 * FRAME}));
    const auto reason = static_cast<std::size_t>(DropReason::PFC_WATCHDOG);
    EXPECT_EQ(m_switch->GetCounters().drops[reason], 30U);
    EXPECT_EQ(m_switch->GetDroppedFrames(VICTIM), 30U);
    EXPECT_EQ(m_switch->GetBuffer().GetHeldBytes(), 0U);
}

// SONiC: what comes from the peer of a stormed queue in its class is dropped, too; nothing else is.
TEST_F(RdmaSwitchWatchdog, OtherPortsAndPrioritiesGoOn)
{
    StormUntil(10 * MS);
    Send(0, VICTIM);
    StormUntil(250 * MS);
    ASSERT_EQ(m_storms.size(), 0U);
    StormUntil(310 * MS);
    ASSERT_EQ(m_storms.size(), 1U);
    Send(0, VICTIM, LOSSLESS + 1);
    Send(0, VICTIM, 0);
    Send(0, 1);
    Send(VICTIM, 1, LOSSLESS + 1);
    Send(VICTIM, 1);
    StormUntil(320 * MS);
    EXPECT_EQ(CountArrived(LOSSLESS + 1), 1U);
    EXPECT_EQ(CountArrived(0), 1U);
    EXPECT_EQ(m_owners[1]->arrivals.size(), 2U) << "but for the one in the class of the storm";
    EXPECT_EQ(CountDropped(), 2U);
    EXPECT_FALSE(m_switch->GetWatchdog().IsInStorm(VICTIM, LOSSLESS + 1));
}

// A receiver that is slow pauses nine tenths of the time, and for as long as the watchdog waits:
// what moves is no storm.
TEST_F(RdmaSwitchWatchdog, ASlowReceiverIsNoStorm)
{
    uint64_t sent = 0;
    for (SimTime t{}; t < 2'000 * MS; t += 10 * MS)
    {
        for (int i = 0; i < 10; ++i, ++sent)
        {
            Send(0, VICTIM);
        }
        StormUntil(t + 9 * MS);
        m_ends[VICTIM]->SendPfc(PriorityBit(LOSSLESS), 0, m_events.Now());
        RunTo(t + 10 * MS);
    }
    EXPECT_THAT(m_storms, IsEmpty());
    EXPECT_EQ(CountArrived(), sent);
    EXPECT_EQ(CountDropped(), 0U);
}

// Nothing waits, so nothing is blocked: an idle port is not in a storm whatever its peer sends.
TEST_F(RdmaSwitchWatchdog, AStormThatHoldsNothingBackIsNotDetected)
{
    StormUntil(1'000 * MS);
    EXPECT_THAT(m_storms, IsEmpty());
}

TEST_F(RdmaSwitchWatchdog, LooksOnlyWhileSomethingIsPaused)
{
    Send(0, VICTIM);
    while (m_events.RunNext())
    {
    }
    EXPECT_LT(m_events.Now(), MS) << "without a pause nothing looks";
    m_ends[VICTIM]->SendPfc(PriorityBit(LOSSLESS), PFC_MAX_QUANTA, m_events.Now());
    while (m_events.RunNext())
    {
    }
    EXPECT_EQ(m_events.Now(), 100 * MS) << "one look after the pause";
}

// The storm fills the buffer, and the senders are paused; what is dropped lets them send again.
TEST_F(RdmaSwitchWatchdog, DroppingResumesTheSendersBehind)
{
    StormUntil(10 * MS);
    constexpr int FRAMES = 20'000; // 20 MB, more than a dynamic threshold leaves to one port
    for (int i = 0; i < FRAMES; ++i)
    {
        Send(0, VICTIM);
    }
    StormUntil(290 * MS);
    ASSERT_FALSE(m_owners[0]->pauses.empty());
    EXPECT_NE(m_owners[0]->pauses.back().quanta, 0);
    EXPECT_EQ(CountDropped(), 0U);
    StormUntil(320 * MS);
    EXPECT_EQ(m_owners[0]->pauses.back().quanta, 0);
    EXPECT_EQ(CountDropped(), FRAMES);
    EXPECT_EQ(m_switch->GetBuffer().GetHeldBytes(), 0U);
}

// One detection for each class, and none of them restored while the storm lasts.
TEST_F(RdmaSwitchAllLossless, AContinuousStormOnAllClassesIsOneStormEach)
{
    StormUntil(10 * MS, 0xff);
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        Send(0, VICTIM, priority);
    }
    for (uint64_t ms = 20; ms < 5'000; ms += 10)
    {
        Send(0, VICTIM, static_cast<uint8_t>(ms / 10 % PRIORITY_COUNT));
        StormUntil(ms * MS, 0xff);
    }
    ASSERT_EQ(m_storms.size(), PRIORITY_COUNT);
    PriorityMask detected = 0;
    for (const StormNote& storm : m_storms)
    {
        EXPECT_TRUE(storm.isDetected);
        EXPECT_EQ(storm.time, 300 * MS);
        EXPECT_EQ(storm.report.port, VICTIM);
        detected |= PriorityBit(storm.report.priority);
    }
    EXPECT_EQ(detected, 0xff);
    RunTo(6'000 * MS);
    EXPECT_EQ(m_storms.size(), 2U * PRIORITY_COUNT);
}

TEST_F(RdmaSwitchForwarding, PausesAreIgnoredAndNothingIsLost)
{
    StormUntil(10 * MS);
    Send(0, VICTIM);
    StormUntil(299 * MS);
    EXPECT_EQ(CountArrived(), 0U);
    StormUntil(310 * MS);
    EXPECT_EQ(CountArrived(), 1U);
    Send(0, VICTIM);
    StormUntil(400 * MS);
    EXPECT_EQ(CountArrived(), 2U);
    RunTo(701 * MS); // the last pause ends 0.24 ms after 400 ms
    EXPECT_EQ(m_storms.size(), 2U);
    EXPECT_EQ(CountDropped(), 0U);
    StormUntil(710 * MS);
    Send(0, VICTIM);
    StormUntil(720 * MS);
    EXPECT_EQ(CountArrived(), 2U) << "restored: pauses are obeyed again";
}

TEST_F(RdmaSwitchAlert, IsToldOnceAndNothingElseHappens)
{
    StormUntil(10 * MS);
    Send(0, VICTIM);
    StormUntil(1'000 * MS);
    EXPECT_EQ(m_storms.size(), 1U);
    EXPECT_EQ(CountArrived(), 0U);
    RunTo(2'000 * MS);
    EXPECT_EQ(m_storms.size(), 2U);
    EXPECT_EQ(CountArrived(), 1U);
    EXPECT_EQ(CountDropped(), 0U);
}

// At most two looks see it.
TEST_P(RdmaSwitchStormPhase, AStormOf150MsIsNeverDetected)
{
    Begin();
    StormUntil((GetParam() + 150) * MS);
    RunTo(1'000 * MS);
    EXPECT_THAT(m_storms, IsEmpty());
    EXPECT_EQ(CountArrived(), 1U);
    EXPECT_EQ(CountDropped(), 0U);
}

// After the detection time, and at most a poll interval later.
TEST_P(RdmaSwitchStormPhase, AStormOf350MsIsDetectedInTime)
{
    Begin();
    StormUntil((GetParam() + 350) * MS);
    ASSERT_EQ(m_storms.size(), 1U);
    EXPECT_THAT(m_storms[0].time, AllOf(Ge((GetParam() + 200) * MS), Le((GetParam() + 301) * MS)));
}

INSTANTIATE_TEST_SUITE_P(Starts,
                         RdmaSwitchStormPhase,
                         testing::Values(1, 10, 30, 49, 50, 51, 70, 99, 100));

} // namespace ns3::rdma
