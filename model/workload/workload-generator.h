// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "topology/topology.h"
#include "workload/flow.h"
#include "workload/workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What a generator may look at. */
struct WorkloadContext
{
    const Topology& topology;
    const std::vector<uint32_t>& hosts; ///< nodes of the topology, ascending
    uint64_t seed;                      ///< of the run
    std::vector<std::string>& notes;    ///< receives what a person should know
};

/**
 * Makes flows from its attributes, on any topology.
 *
 * A child writes DoGenerate; Generate checks what it made, path included, and puts it in order.
 * Diagnostics name attributes in snake case, as a scenario spells them.
 */
class WorkloadGenerator : public Workload
{
  public:
    /** @choice a run beyond it takes more than 10 GB for the list alone */
    static constexpr double MAX_FLOWS = 1e8;

    static TypeId GetTypeId();

    /**
     * Makes the flows.
     *
     * @param topology validated
     * @param seed     of the run; the same seed gives the same flows
     * @param notes    receives what a person should know ("mean size 1 711 250 bytes")
     * @return in the order of SortFlows
     * @error attributes that do not fit each other or the topology (too many senders, unknown
     * hosts), whatever CheckFlows finds, a destination that cannot be reached
     */
    Expected<FlowList> Generate(const Topology& topology,
                                uint64_t seed,
                                std::vector<std::string>& notes) const;

  protected:
    /** A flow with this generator's priority, port, rate, congestion control and tag. */
    Flow MakeFlow(uint32_t source, uint32_t destination, uint64_t bytes, SimTime start) const;

    const std::string& GetTag() const
    {
        return m_tag;
    }

    /**
     * The hosts that take part.
     *
     * @param names words separated by commas; empty: all
     * @error unknown names; fewer than two hosts
     */
    static Expected<std::vector<uint32_t>> FindHosts(const WorkloadContext& context,
                                                     const std::string& names);

    /** A finding about an attribute. */
    static Diagnostic MakeDiagnostic(std::string key,
                                     std::string message,
                                     std::string got,
                                     std::string expected);

    /** Findings if so many flows would be absurd; nothing else. */
    static Diagnostics CheckCount(double flows);

  private:
    virtual Expected<FlowList> DoGenerate(const WorkloadContext& context) const = 0;

    /** The tag of flows when the attribute is empty. */
    virtual std::string DoDefaultTag() const = 0;

    /** Who limits the flows of a generator, beside its Rate. */
    enum class FlowControl : uint8_t
    {
        SCENARIO,
        NONE,
    };

    uint8_t m_priority{0};
    uint16_t m_destinationPort{0};
    BitRate m_rate{};
    FlowControl m_congestion{FlowControl::SCENARIO};
    std::string m_tag;
};

} // namespace ns3::rdma
