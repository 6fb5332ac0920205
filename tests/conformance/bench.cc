// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/bench.h"

#include "rnic/rnic.h"
#include "tests/conformance/actor.h"
#include "tests/conformance/cable.h"
#include "transport/rc-policies.h"

#include "ns3/object-factory.h"

#include <algorithm>
#include <memory>

namespace ns3::rdma
{

namespace
{

constexpr BitRate RATE = BitRate::Gbps(100);

/** When the tester gives up waiting for completions, with room for the time before it. */
constexpr SimTime LONGEST_RUN = SimTime::Seconds(60);

/** Tells actors of the messages that their queue pair has executed. */
class Observer : public DeviceObserver
{
  public:
    void Add(Actor& actor)
    {
        m_actors.push_back(&actor);
    }

    void OnDelivered(uint32_t mark, uint64_t, SimTime) override
    {
        m_actors[mark]->OnExecuted();
    }

    void OnAsyncEvent(const AsyncEvent&, SimTime) override {}

  private:
    std::vector<Actor*> m_actors; ///< by their number on this host
};

Ptr<CongestionControl>
MakeNoCongestionControl()
{
    ObjectFactory factory{"ns3::rdma::NoCongestionControl"};
    return factory.Create<CongestionControl>();
}

/** The way of a frame: short against the shortest timeout, and a millisecond at most. */
SimTime
WayOf(const Script& script)
{
    SimTime way = SimTime::Milliseconds(1);
    for (const SideSettings& side : script.sides)
    {
        constexpr uint64_t UNIT_NS = 4096;
        constexpr uint64_t PART = 10;
        const SimTime timeout = SimTime::Nanoseconds(UNIT_NS << side.timeout);
        way = side.timeout == 0 ? way : std::min(way, SimTime{timeout.ps / PART});
    }
    return way;
}

/** A step of a slow host: longer than a burst, shorter than the way. */
SimTime
StepOf(const Script& script)
{
    constexpr uint64_t PART = 20;
    return {WayOf(script).ps / PART};
}

uint64_t
RegionBytes(const ConnectionActions& actions)
{
    uint64_t bytes = TESTER_REGION_BYTES;
    for (const Actions& side : actions)
    {
        for (const Action& action : side)
        {
            const bool isPost = action.kind == ActionKind::POST && !action.isOutOfRange;
            const uint64_t offset = action.offset > 0 ? static_cast<uint64_t>(action.offset) : 0;
            bytes = std::max(bytes, isPost ? action.length + offset : 0);
        }
    }
    return bytes;
}

/** Both hosts, the cable, and an actor for each side of each connection. */
class Bench : private Cable::Listener
{
  public:
    Bench(const Experiment& experiment, const RcPolicy& policy)
        : m_experiment{experiment},
          m_cable{{.events = m_events,
                   .ledger = m_ledger,
                   .rate = RATE,
                   .delay = WayOf(experiment.script),
                   .spacing = experiment.timing.isSpaced ? StepOf(experiment.script) : SimTime{},
                   .listener = this}}
    {
        for (const uint32_t host : {CLIENT, SERVER})
        {
            MakeHost(host, policy);
        }
        for (uint32_t number = 0; number < experiment.script.connections.size(); ++number)
        {
            MakeConnection(number);
        }
        for (const TimerRepeat& repeat : experiment.repeats)
        {
            m_cable.AddRepeat(repeat);
        }
    }

    void Run()
    {
        while (m_events.NextTime() < LONGEST_RUN && m_cable.GetFrames() < m_experiment.maxFrames)
        {
            m_events.RunNext();
        }
    }

    RunResult GetResult() const
    {
        RunResult result;
        result.views = {m_cable.GetView(CLIENT), m_cable.GetView(SERVER)};
        for (const std::array<std::unique_ptr<Actor>, 2>& actors : m_actors)
        {
            result.outputs.push_back({actors[CLIENT]->GetOutput(), actors[SERVER]->GetOutput()});
            result.refused += actors[CLIENT]->GetRefused() + actors[SERVER]->GetRefused();
        }
        return result;
    }

  private:
    void OnForwarded(uint32_t host, uint32_t connection) override
    {
        m_actors[connection][host]->OnFrame();
    }

    /** The gates of an actor, where the client is to keep the capture's order. */
    std::vector<uint64_t> GatesOf(uint32_t side, uint32_t number) const
    {
        return side == CLIENT && m_experiment.timing.isOrdered ? m_experiment.gates[number]
                                                               : std::vector<uint64_t>{};
    }

    void MakeHost(uint32_t host, const RcPolicy& policy)
    {
        m_devices[host] = CreateObject<Rnic>();
        m_devices[host]->SetUp({.events = &m_events,
                                .ledger = &m_ledger,
                                .id = host + 1,
                                .address = host,
                                .name = host == CLIENT ? "client" : "server",
                                .seed = 1,
                                .port = {.id = host + 1, .rate = RATE},
                                .policy = policy,
                                .hasRealPayload = true,
                                .congestion = MakeNoCongestionControl()});
        m_devices[host]->SetObserver(&m_observers[host]);
        EthernetPort::Connect(m_devices[host]->GetPort(), m_cable.GetPort(host));
        for (const FaultRule& rule : m_experiment.wire[host])
        {
            m_cable.GetInjector(host).AddRule(rule);
        }
        if (m_experiment.chance)
        {
            const std::string name = "cable/" + std::to_string(host);
            m_cable.GetInjector(host).SetStream(RandomStream{m_experiment.seed, name});
            m_cable.GetInjector(host).SetProbabilities(*m_experiment.chance);
        }
    }

    void MakeConnection(uint32_t number)
    {
        const Script& script = m_experiment.script;
        const ConnectionActions& actions = script.connections[number];
        std::array<std::unique_ptr<Actor>, 2> pair;
        for (const uint32_t side : {CLIENT, SERVER})
        {
            pair[side] = std::make_unique<Actor>(ActorSetup{.events = &m_events,
                                                            .device = PeekPointer(m_devices[side]),
                                                            .side = side,
                                                            .number = number,
                                                            .settings = script.sides[side],
                                                            .actions = actions[side],
                                                            .regionBytes = RegionBytes(actions),
                                                            .knowsMemory = script.knowsMemory,
                                                            .reaction = StepOf(script),
                                                            .gates = GatesOf(side, number)});
            m_observers[side].Add(*pair[side]);
            m_cable.AddQueuePair(side, pair[side]->GetQpn().value, number);
        }
        const std::array<Psn, 2>& psns = m_experiment.firstPsns[number];
        for (const uint32_t side : {CLIENT, SERVER})
        {
            const Actor& peer = *pair[1 - side];
            const uint32_t qpn = script.sides[side].destinationQp.value_or(peer.GetQpn().value);
            m_cable.AddQueuePair(1 - side, qpn, number);
            pair[side]->Start(peer.GetRegions(), Qpn{qpn}, psns[side], psns[1 - side]);
        }
        m_actors.push_back(std::move(pair));
    }

    const Experiment& m_experiment;
    EventQueue m_events;
    FrameLedger m_ledger;
    std::array<Ptr<Rnic>, 2> m_devices;
    Cable m_cable;
    std::array<Observer, 2> m_observers;
    std::vector<std::array<std::unique_ptr<Actor>, 2>> m_actors;
};

} // namespace

Expected<RunResult>
RunModel(const Experiment& experiment)
{
    const RcPolicy* policy = FindRcPolicy(experiment.policy);
    if (policy == nullptr)
    {
        Diagnostic unknown;
        unknown.key = "policy";
        unknown.message = "unknown policy";
        unknown.got = experiment.policy;
        for (const NamedRcPolicy& known : GetRcPolicies())
        {
            unknown.knownNames.emplace_back(known.name);
        }
        return unknown;
    }
    Bench bench{experiment, *policy};
    bench.Run();
    return bench.GetResult();
}

} // namespace ns3::rdma
