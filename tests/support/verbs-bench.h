// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/support/test-scenario.h"
#include "verbs/verbs-device.h"

#include <map>
#include <vector>

namespace ns3::rdma
{

/** A completion and when it came. */
struct TimedCompletion
{
    WorkCompletion completion;
    SimTime time;
};

/** An application of one interface: a domain, a completion queue, and memory. */
class VerbsApplication : public CompletionChannel, public DeviceObserver
{
  public:
    explicit VerbsApplication(Rnic& device);

    /** Memory of so many bytes from an address, with all rights. */
    MemoryRegion AddMemory(uint64_t address, std::vector<std::byte>& bytes);

    Qpn CreateQueuePair(const QueuePairCapabilities& capabilities = {});

    /** Posts one request that reads or fills one piece of the synthetic memory. */
    PostResult Post(Qpn qpn, SendRequest request, uint32_t bytes, SimTime now = {});

    /** Posts a receive of so many bytes. */
    PostResult Receive(Qpn qpn, uint64_t wrId, uint32_t bytes, SimTime now = {});

    Rnic& GetDevice()
    {
        return m_device;
    }

    /** The key of synthetic memory that covers all addresses, local and remote. */
    uint32_t GetKey() const
    {
        return m_region.rkey;
    }

    /** Without their times. */
    std::vector<WorkCompletion> GetCompletions() const;

    std::vector<TimedCompletion> completions;
    std::vector<uint64_t> delivered; ///< bytes of messages that arrived here
    std::vector<AsyncEvent> events;

  private:
    void OnCompletionEvent(CompletionQueue& queue, SimTime now) override;
    void OnDelivered(uint32_t mark, uint64_t bytes, SimTime now) override;
    void OnAsyncEvent(const AsyncEvent& event, SimTime now) override;

    Rnic& m_device;
    ProtectionDomainId m_domain;
    CompletionQueueId m_queue;
    MemoryRegion m_region;
};

/** Queue pairs of both ends. */
struct ConnectedPair
{
    Qpn a;
    Qpn b;
};

/** Two interfaces and an application on each; queue pairs that a test connects as it likes. */
class VerbsBench
{
  public:
    /** One cable of 100 Gb/s and 1 us between them. */
    VerbsBench();

    /** @param scenario must have at least two hosts */
    explicit VerbsBench(const Scenario& scenario);

    /** Queue pairs of a and b, ready to send; attributes as given but for addresses and peers. */
    ConnectedPair Connect(QueuePairAttributes attributes = MakeAttributes(),
                          const QueuePairCapabilities& capabilities = {});

    /** All rights, 16 READs, the rest as it is by default. */
    static QueuePairAttributes MakeAttributes();

    void Run();

    TestRun run;
    VerbsApplication a; ///< of interface 0
    VerbsApplication b; ///< of interface 1
};

} // namespace ns3::rdma
