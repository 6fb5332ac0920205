// SPDX-License-Identifier: GPL-2.0-only
#include "workload/perftest-side.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Any address will do: the memory is synthetic. */
constexpr uint64_t BASE_ADDRESS = 0x10000;

/** A work request's identifier tells its queue pair and its number. */
constexpr unsigned PAIR_SHIFT = 32;

constexpr uint64_t
MakeId(uint32_t pair, uint32_t index)
{
    return uint64_t{pair} << PAIR_SHIFT | index;
}

std::string
Explain(const std::string& what, VerbsError error)
{
    return error == VerbsError::NONE ? "" : what + ": " + std::string{ToString(error)};
}

SendOpcode
GetOpcode(PerftestVerb verb)
{
    switch (verb)
    {
    case PerftestVerb::WRITE:
        return SendOpcode::RDMA_WRITE;
    case PerftestVerb::READ:
        return SendOpcode::RDMA_READ;
    case PerftestVerb::SEND:
        return SendOpcode::SEND;
    case PerftestVerb::FETCH_ADD:
        return SendOpcode::ATOMIC_FETCH_AND_ADD;
    case PerftestVerb::COMPARE_SWAP:
        return SendOpcode::ATOMIC_CMP_AND_SWP;
    }
    return SendOpcode::RDMA_WRITE;
}

} // namespace

PerftestSide::PerftestSide(const PerftestPlan& plan,
                           const ApplicationHost& host,
                           PerftestListener& listener)
    : m_plan{plan},
      m_host{host},
      m_listener{listener}
{
}

std::string
PerftestSide::SetUp(ApplicationEnvironment& environment)
{
    VerbsDevice& device = *m_host.device;
    std::string failure = Explain("protection domain", device.AllocateProtectionDomain(m_domain));
    if (failure.empty())
    {
        // One area is read by sends and the other is written to, as in perftest.
        const MemoryRegionSpec spec{.protectionDomain = m_domain.value,
                                    .address = BASE_ADDRESS,
                                    .length = 2 * GetAreaBytes(),
                                    .access = ACCESS_ALL};
        failure = Explain("memory region", device.RegisterMemory(spec, m_region));
    }
    if (failure.empty())
    {
        failure = MakeQueues();
    }
    if (failure.empty())
    {
        failure = MakeQueuePairs(environment.ReserveMark(this));
    }
    m_receivePiece = {.address = BASE_ADDRESS + GetAreaBytes(),
                      .length = static_cast<uint32_t>(GetAreaBytes()),
                      .lkey = m_region.lkey};
    m_requests.reserve(m_plan.postList);
    return failure;
}

std::string
PerftestSide::MakeQueues()
{
    VerbsDevice& device = *m_host.device;
    constexpr uint32_t LEAST = 2;
    std::string failure =
        Explain("completion queue",
                device.CreateCompletionQueue(
                    std::max(m_plan.queuePairs * m_plan.txDepth, LEAST), this, m_sendQueue));
    if (failure.empty())
    {
        failure =
            Explain("completion queue",
                    device.CreateCompletionQueue(
                        std::max(m_plan.queuePairs * m_plan.rxDepth, LEAST), this, m_receiveQueue));
    }
    if (failure.empty())
    {
        device.GetCompletionQueue(m_sendQueue).RequestNotify(Notify::NEXT);
        device.GetCompletionQueue(m_receiveQueue).RequestNotify(Notify::NEXT);
    }
    return failure;
}

std::string
PerftestSide::MakeQueuePairs(uint32_t mark)
{
    // A ping-pong may post its next message before the last one's completion was taken.
    constexpr uint32_t FEWEST_REQUESTS = 2;
    QueuePairInit init;
    init.protectionDomain = m_domain;
    init.sendQueue = m_sendQueue;
    init.receiveQueue = m_receiveQueue;
    init.capabilities.maxSendRequests = std::max(m_plan.txDepth, FEWEST_REQUESTS);
    init.capabilities.maxReceiveRequests = m_plan.verb == PerftestVerb::SEND ? m_plan.rxDepth : 1;
    init.capabilities.maxInlineBytes = m_plan.inlineBytes;
    init.mark = mark;
    m_qpns.resize(m_plan.queuePairs);
    for (Qpn& qpn : m_qpns)
    {
        const VerbsError error = m_host.device->CreateQueuePair(init, qpn);
        if (error != VerbsError::NONE)
        {
            return Explain("queue pair", error);
        }
    }
    return "";
}

RemoteMemory
PerftestSide::GetMemory() const
{
    return {.address = m_receivePiece.address, .rkey = m_region.rkey};
}

uint64_t
PerftestSide::GetAreaBytes() const
{
    constexpr uint64_t ALIGNMENT = 64;
    const uint64_t largest = *std::max_element(m_plan.sizes.begin(), m_plan.sizes.end());
    return (largest + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

std::string
PerftestSide::PostReceives(SimTime now)
{
    for (uint32_t pair = 0; pair < m_plan.queuePairs; ++pair)
    {
        const ReceiveRequest request{.wrId = MakeId(pair, 0), .sgList = {&m_receivePiece, 1}};
        const std::vector<ReceiveRequest> requests(m_plan.rxDepth, request);
        const PostResult result = m_host.device->PostReceive(m_qpns[pair], requests, now);
        if (!result.IsOk())
        {
            return Explain("receive request", result.error);
        }
    }
    return "";
}

void
PerftestSide::RepostReceive(uint32_t pair, SimTime now)
{
    const ReceiveRequest request{.wrId = MakeId(pair, 0), .sgList = {&m_receivePiece, 1}};
    m_host.device->PostReceive(m_qpns[pair], {&request, 1}, now);
}

SendRequest
PerftestSide::MakeRequest(const PerftestPost& post, uint32_t index) const
{
    const uint32_t interval = std::min(m_plan.cqModeration, m_plan.txDepth);
    const bool isSignalled =
        post.signalsAll || (index + 1) % interval == 0 || index + 1 == post.total;
    const bool isInline = IsPingPong(m_plan.verb) && post.bytes <= m_plan.inlineBytes;
    SendRequest request;
    request.wrId = MakeId(post.pair, index);
    request.opcode = GetOpcode(m_plan.verb);
    request.flags =
        static_cast<uint8_t>((isSignalled ? SEND_SIGNALED : 0) | (isInline ? SEND_INLINE : 0));
    request.sgList = {&m_sendPiece, 1};
    request.remoteAddress = m_peer.address;
    request.rkey = m_peer.rkey;
    request.compareAdd = IsAtomic(m_plan.verb) ? 1 : 0;
    return request;
}

std::string
PerftestSide::Post(const PerftestPost& post, SimTime now)
{
    m_sendPiece = {.address = BASE_ADDRESS, .length = post.bytes, .lkey = m_region.lkey};
    m_requests.clear();
    for (uint32_t i = 0; i < post.count; ++i)
    {
        m_requests.push_back(MakeRequest(post, post.first + i));
    }
    return Explain("send request",
                   m_host.device->PostSend(m_qpns[post.pair], m_requests, now).error);
}

void
PerftestSide::OnCompletionEvent(CompletionQueue& queue, SimTime now)
{
    if (m_isPolling)
    {
        return; // A post within the loop below has completed at once; the loop will find it.
    }
    m_isPolling = true;
    std::array<WorkCompletion, POLL_BATCH> batch;
    do
    {
        const std::size_t count = queue.Poll(batch);
        for (std::size_t i = 0; i < count; ++i)
        {
            Take(batch[i], now);
        }
        m_listener.OnIdle(*this, now);
        queue.RequestNotify(Notify::NEXT);
    } while (queue.GetCount() > 0);
    m_isPolling = false;
}

void
PerftestSide::Take(const WorkCompletion& completion, SimTime now)
{
    if (completion.status != CompletionStatus::SUCCESS)
    {
        m_listener.OnFailure(*this, completion, now);
        return;
    }
    const auto pair = static_cast<uint32_t>(completion.wrId >> PAIR_SHIFT);
    if (completion.opcode == CompletionOpcode::RECV)
    {
        RepostReceive(pair, now);
        m_listener.OnReceived(*this, now);
        return;
    }
    m_listener.OnSent(*this, pair, static_cast<uint32_t>(completion.wrId), now);
}

void
PerftestSide::OnMemoryChanged(uint32_t, uint64_t, SimTime now)
{
    m_listener.OnMemory(*this, now);
    m_listener.OnIdle(*this, now);
}

} // namespace ns3::rdma
