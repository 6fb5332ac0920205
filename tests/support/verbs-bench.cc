// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/verbs-bench.h"

#include "verbs/bring-up.h"

#include "ns3/simulator.h"

#include <array>
#include <gtest/gtest.h>

namespace ns3::rdma
{

VerbsApplication::VerbsApplication(Rnic& device) : m_device{device}
{
    EXPECT_EQ(device.AllocateProtectionDomain(m_domain), VerbsError::NONE);
    EXPECT_EQ(device.RegisterMemory(
                  {.protectionDomain = m_domain.value, .length = UINT64_MAX, .access = ACCESS_ALL},
                  m_region),
              VerbsError::NONE);
    EXPECT_EQ(device.CreateCompletionQueue(64, this, m_queue), VerbsError::NONE);
    device.GetCompletionQueue(m_queue).RequestNotify(Notify::NEXT);
    device.SetObserver(this);
}

MemoryRegion
VerbsApplication::AddMemory(uint64_t address, std::vector<std::byte>& bytes)
{
    MemoryRegion region;
    EXPECT_EQ(m_device.RegisterMemory({.protectionDomain = m_domain.value,
                                       .address = address,
                                       .length = bytes.size(),
                                       .access = ACCESS_ALL,
                                       .storage = bytes.data()},
                                      region),
              VerbsError::NONE);
    return region;
}

Qpn
VerbsApplication::CreateQueuePair(const QueuePairCapabilities& capabilities)
{
    Qpn qpn;
    EXPECT_EQ(m_device.CreateQueuePair({.protectionDomain = m_domain,
                                        .sendQueue = m_queue,
                                        .receiveQueue = m_queue,
                                        .capabilities = capabilities},
                                       qpn),
              VerbsError::NONE);
    return qpn;
}

PostResult
VerbsApplication::Post(Qpn qpn, SendRequest request, uint32_t bytes, SimTime now)
{
    const ScatterGatherElement element{0, bytes, m_region.lkey};
    request.sgList = {&element, 1};
    return m_device.PostSend(qpn, {&request, 1}, now);
}

PostResult
VerbsApplication::Receive(Qpn qpn, uint64_t wrId, uint32_t bytes, SimTime now)
{
    const ScatterGatherElement element{0, bytes, m_region.lkey};
    const ReceiveRequest request{wrId, {&element, 1}};
    return m_device.PostReceive(qpn, {&request, 1}, now);
}

std::vector<WorkCompletion>
VerbsApplication::GetCompletions() const
{
    std::vector<WorkCompletion> plain;
    for (const TimedCompletion& entry : completions)
    {
        plain.push_back(entry.completion);
    }
    return plain;
}

void
VerbsApplication::OnCompletionEvent(CompletionQueue& queue, SimTime now)
{
    std::array<WorkCompletion, 1> one;
    while (queue.Poll(one) == 1)
    {
        completions.push_back({one[0], now});
    }
    queue.RequestNotify(Notify::NEXT);
}

void
VerbsApplication::OnDelivered(uint32_t, uint64_t bytes, SimTime)
{
    delivered.push_back(bytes);
}

void
VerbsApplication::OnAsyncEvent(const AsyncEvent& event, SimTime)
{
    events.push_back(event);
}

VerbsBench::VerbsBench()
    : VerbsBench{MakeTestScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}))}
{
}

VerbsBench::VerbsBench(const Scenario& scenario)
    : run{scenario},
      a{*run.GetFabric().GetInterfaces()[0]},
      b{*run.GetFabric().GetInterfaces()[1]}
{
}

QueuePairAttributes
VerbsBench::MakeAttributes()
{
    return {.accessFlags = ACCESS_ALL, .maxReadAtomic = 16, .maxDestReadAtomic = 16};
}

ConnectedPair
VerbsBench::Connect(QueuePairAttributes attributes, const QueuePairCapabilities& capabilities)
{
    const ConnectedPair pair{a.CreateQueuePair(capabilities), b.CreateQueuePair(capabilities)};
    attributes.address.destination = 1;
    attributes.destinationQp = pair.b;
    EXPECT_FALSE(BringToReadyToSend(a.GetDevice(), pair.a, attributes, {}));
    attributes.address.destination = 0;
    attributes.destinationQp = pair.a;
    std::swap(attributes.sendPsn, attributes.receivePsn);
    EXPECT_FALSE(BringToReadyToSend(b.GetDevice(), pair.b, attributes, {}));
    return pair;
}

void
VerbsBench::Run()
{
    Simulator::Run();
}

} // namespace ns3::rdma
