// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/qpn.h"
#include "base/sim-time.h"
#include "engine/event-queue.h"
#include "topology/topology.h"
#include "verbs/verbs-device.h"
#include "workload/result-table.h"
#include "workload/workload.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
class Node;
}

namespace ns3::rdma
{

/** A network interface that an application uses. */
struct ApplicationHost
{
    VerbsDevice* device{nullptr};
    uint32_t interface {
        0
    }; ///< its number in the fabric
};

/** An end of a connection of ns-3's own IP stack. */
struct IpEnd
{
    Node* node{nullptr}; ///< with TCP and UDP; lives until the simulator is destroyed
    uint32_t address{0}; ///< IPv4: 10.0.0.1 is 0x0a000001
    uint16_t mtu{0};     ///< largest IP packet, in bytes
};

/** The interfaces by which two hosts talk to each other. */
struct ApplicationHosts
{
    ApplicationHost source;
    ApplicationHost destination;
};

/** One end of a connection that is to be made. */
struct ConnectionEnd
{
    ApplicationHost host;
    Qpn qpn{}; ///< in state RESET
};

/** What a connection has besides its ends; the rest is the scenario's transport. */
struct ConnectionOptions
{
    uint8_t priority{3};      ///< 0 .. 7
    uint8_t maxReadAtomic{1}; ///< READs and atomics outstanding, in both directions
    uint8_t accessFlags{0};   ///< AccessFlag bits: what each end grants to the other
};

/** Who looks at memory that a peer writes to. */
class MemoryPoller
{
  public:
    virtual ~MemoryPoller() = default;

    /** A whole request message is in memory. @param mark of the queue pair that it came by */
    virtual void OnMemoryChanged(uint32_t mark, uint64_t bytes, SimTime now) = 0;
};

/** What a run offers to its applications; it outlives them. */
class ApplicationEnvironment
{
  public:
    virtual ~ApplicationEnvironment() = default;

    virtual EventQueue& GetEvents() = 0;

    /**
     * The interfaces of the next connection between two hosts.
     *
     * @param sourceNode index into Topology::nodes
     * @error no path
     */
    virtual Expected<ApplicationHosts> ChooseHosts(uint32_t sourceNode,
                                                   uint32_t destinationNode) = 0;

    /**
     * Takes two queue pairs from RESET to RTS, each connected to the other.
     *
     * @return what is wrong; nullopt: nothing
     */
    virtual std::optional<Diagnostic> Connect(const ConnectionEnd& source,
                                              const ConnectionEnd& destination,
                                              const ConnectionOptions& options,
                                              SimTime now) = 0;

    /**
     * Reserves a mark for queue pairs (QueuePairInit::mark).
     *
     * @param poller is told of messages that arrive at them; null: nobody
     */
    virtual uint32_t ReserveMark(MemoryPoller* poller) = 0;

    /** The interfaces of a host, in the order of its cables. @param node index into its nodes */
    virtual std::vector<ApplicationHost> GetInterfaces(uint32_t node) = 0;

    /** What connections have where nothing else is said. */
    virtual QueuePairAttributes GetConnectionDefaults() = 0;

    /** Whether the user has chosen a parameter's value. @param key "transport.timeout" */
    virtual bool IsChosen(const std::string& key) = 0;

    /**
     * The IP stacks of two interfaces, each knowing the other's address of the link.
     *
     * Stacks are made when they are first asked for, and are ready in ns-3 events after that.
     */
    virtual std::pair<IpEnd, IpEnd> GetIpEnds(const ApplicationHosts& hosts) = 0;

    /** An application has ended; it calls nothing after that. */
    virtual void OnApplicationEnded(SimTime now) = 0;
};

/**
 * A program on hosts of the fabric that uses the verbs itself, or sockets, and measures what it
 * likes.
 *
 * Where a flow list says what is to be transferred, an application reacts: it posts because
 * something has completed. A child is made from its attributes; Check comes when the scenario is
 * loaded, Start once at its start time.
 */
class Application : public Workload
{
  public:
    static TypeId GetTypeId();

    /** Findings about the attributes; keys are attributes in snake case. */
    Diagnostics Check(const Topology& topology) const;

    /** When Start is due. */
    SimTime GetStart() const
    {
        return m_start;
    }

    /**
     * Begins; what follows comes from completions and events.
     *
     * @param topology that passed Check; outlives the application
     * @error no path between hosts, a device that refuses what it needs
     */
    Diagnostics Start(const Topology& topology, ApplicationEnvironment& environment, SimTime now);

    /** Whether it has done all that it wanted, or has failed. */
    bool HasEnded() const
    {
        return m_hasEnded;
    }

    /** Why it could not do what it wanted; empty if it could. */
    const std::string& GetFailure() const
    {
        return m_failure;
    }

    /** What it has measured so far, a table for each of its files. */
    std::vector<ResultTable> GetResults() const;

    /** Lines for people, besides the tables that are short enough to be shown. */
    virtual std::vector<std::string> GetSummary() const
    {
        return {};
    }

    /** Whether it will do something later of its own accord, whatever arrives until then. */
    virtual bool HasPlans() const
    {
        return false;
    }

    /** What it waits for when nothing is left to happen. */
    virtual std::string DescribeWait() const
    {
        return "has not ended";
    }

    /** Takes over what another of the same attributes has found out when it was checked. */
    virtual void LearnFrom(const Application&) {}

    /** A name for messages and tables: the attribute Tag, or the kind of application. */
    std::string GetTag() const;

    /** Whether it asks for IP stacks. */
    virtual bool NeedsIpStack() const
    {
        return false;
    }

    /** Whether it goes on for ever. */
    virtual bool IsEndless() const
    {
        return false;
    }

    /** How long nothing may arrive anywhere although it goes on. */
    virtual SimTime GetPatience() const
    {
        return {};
    }

  protected:
    /** The last thing that a child calls. @param failure empty: all was done */
    void End(SimTime now, const std::string& failure = "");

  private:
    virtual Diagnostics DoCheck(const Topology& topology) const = 0;
    virtual Diagnostics DoStart(const Topology& topology,
                                ApplicationEnvironment& environment,
                                SimTime now) = 0;
    virtual ResultTable DoGetResults() const = 0;

    /** Tables besides the one above. */
    virtual std::vector<ResultTable> DoGetMoreResults() const
    {
        return {};
    }

    virtual std::string DoDefaultTag() const = 0;

    SimTime m_start{};
    std::string m_tag;
    ApplicationEnvironment* m_environment{nullptr};
    bool m_hasEnded{false};
    std::string m_failure;
};

} // namespace ns3::rdma
