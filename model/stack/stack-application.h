// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"
#include "workload/application.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** Source and destination, as indices into Topology::nodes. */
using HostPair = std::pair<uint32_t, uint32_t>;

/**
 * An application over ns3's own IP stack: who sends to whom, how much, in which class.
 *
 * Sources and destinations go in pairs; one of either stands for all of the other.
 */
class StackApplication : public Application
{
  public:
    static TypeId GetTypeId();

    bool NeedsIpStack() const final
    {
        return true;
    }

    /** Whether it sends until the run ends. */
    bool IsEndless() const final
    {
        return m_bytes.value == 0;
    }

  protected:
    /** @error unknown names, lists that do not pair */
    Expected<std::vector<HostPair>> FindPairs(const Topology& topology) const;

    /** What each pair sends; 0: it goes on. */
    uint64_t GetBytes() const
    {
        return m_bytes.value;
    }

    uint8_t GetPriority() const
    {
        return m_priority;
    }

    /** The traffic class of its IP packets: the class selector of its priority, and no ECN. */
    uint8_t GetTrafficClass() const;

  private:
    Diagnostics DoCheck(const Topology& topology) const final;

    /** What is wrong with the attributes of a child; by default nothing. */
    virtual Diagnostics DoCheckMore() const;

    std::string m_sources;
    std::string m_destinations;
    ByteCount m_bytes{};
    uint8_t m_priority{0};
};

/** A time in nanoseconds with three decimals, as results have it; empty for Never(). */
std::string FormatNs(SimTime time);

/** Whole bits per second of bytes in a time; empty if that is none. */
std::string FormatBitRate(uint64_t bytes, SimTime time);

} // namespace ns3::rdma
