// SPDX-License-Identifier: GPL-2.0-only
/*
 * A congestion control of one's own, in one file.
 *
 * It halves its rate at a CNP and adds 1 Gb/s every 50 us without one. A class that is registered
 * is found by its name: "algorithm: halving" in a scenario, or the TypeId as here. The printed
 * rates are those of two senders that share a link of 100 Gb/s.
 */
#include "base/attributes.h"
#include "congestion/congestion-control.h"
#include "engine/simulator-choice.h"
#include "scenario/flow-runner.h"
#include "scenario/scenario.h"
#include "topology/topology-generator.h"

#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace ns3::rdma
{

/** The state of one connection. */
class HalvingController : public CongestionController
{
  public:
    HalvingController(BitRate line, SimTime now)
        : m_line{line},
          m_rate{line},
          m_nextStep{now + STEP}
    {
    }

    SendLimits GetLimits() const override
    {
        return {.rate = m_rate};
    }

    void OnSent(const SentEvent&) override {}

    void OnAck(const AckEvent&) override {}

    void OnCnp(const CnpEvent& event) override
    {
        m_rate = std::max(BitRate{m_rate.bps / 2}, BitRate::Gbps(1));
        m_nextStep = event.now + STEP;
    }

    void OnLoss(const LossEvent&) override {}

    SimTime NextTimer() const override
    {
        return m_rate < m_line ? m_nextStep : SimTime::Never();
    }

    void OnTimer(SimTime now) override
    {
        while (NextTimer() <= now)
        {
            m_rate = std::min(BitRate{m_rate.bps + BitRate::Gbps(1).bps}, m_line);
            m_nextStep += STEP;
        }
    }

  private:
    static constexpr SimTime STEP = SimTime::Microseconds(50);

    BitRate m_line;
    BitRate m_rate;
    SimTime m_nextStep;
};

/** The algorithm: what a scenario names. */
class Halving : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::Halving")
                                .SetParent<CongestionControl>()
                                .SetGroupName("Rdma")
                                .AddConstructor<Halving>();
        return tid;
    }

    std::unique_ptr<CongestionController> NewController(BitRate line, SimTime now) const override
    {
        return std::make_unique<HalvingController>(line, now);
    }

    Feedback GetFeedback() const override
    {
        return Feedback::ECN;
    }

    SimTime GetCnpInterval() const override
    {
        return SimTime::Microseconds(50);
    }
};

NS_OBJECT_ENSURE_REGISTERED(Halving);

} // namespace ns3::rdma

using namespace ns3::rdma;

int
main()
{
    ns3::Time::SetResolution(ns3::Time::PS);
    if (SelectEngine("fabric"))
    {
        return 1;
    }
    ns3::ObjectFactory star{"ns3::rdma::StarTopology"};
    star.Set("Hosts", ns3::UintegerValue(3));
    auto topology = star.Create<TopologyGenerator>()->Generate();
    Scenario scenario = MakeDefaultScenario(std::move(*topology));
    scenario.congestion.SetTypeId("ns3::rdma::Halving");
    scenario.flows = {{.source = 1, .destination = 0, .bytes = 20'000'000},
                      {.source = 2, .destination = 0, .bytes = 20'000'000}};

    auto fabric = Fabric::Build(scenario);
    if (!fabric)
    {
        std::fprintf(stderr, "%s\n", ToString(fabric.Errors().front()).c_str());
        return 2;
    }
    auto runner = FlowRunner::Make(**fabric, scenario.flows, scenario.seed);
    std::printf("%8s %12s %12s\n", "us", "h1 Mb/s", "h2 Mb/s");
    for (uint64_t us = 250; us <= 2000; us += 250)
    {
        const SimTime now = SimTime::Microseconds(us);
        ns3::Simulator::Stop(ns3::MicroSeconds(250));
        ns3::Simulator::Run();
        std::printf("%8" PRIu64, us);
        for (const FlowRecord& record : (*runner)->GetRecords())
        {
            Rnic& sender = *(*fabric)->GetInterfaces()[record.interfaces.source];
            std::printf(" %12" PRIu64, sender.GetSendRate(record.sourceQp, now).bps / 1'000'000);
        }
        std::printf("\n");
    }
    runner->reset();
    fabric->reset();
    ns3::Simulator::Destroy();
    return 0;
}
