// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/random-stream.h"
#include "tests/transport/connection-script.h"
#include "transport/rc-policies.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** One work request of a random list. */
struct CaseOperation
{
    SendOpcode opcode{};
    uint32_t bytes{0};
    uint32_t pieces{1};
    uint8_t flags{SEND_SIGNALED};
    bool hasBadKey{false};
    SimTime receiveAt{}; ///< when its receive is posted, if it takes one

    bool TakesReceive() const
    {
        return opcode == SendOpcode::SEND || opcode == SendOpcode::SEND_WITH_IMM ||
               opcode == SendOpcode::SEND_WITH_INV || opcode == SendOpcode::RDMA_WRITE_WITH_IMM;
    }

    bool IsAtomic() const
    {
        return opcode == SendOpcode::ATOMIC_FETCH_AND_ADD ||
               opcode == SendOpcode::ATOMIC_CMP_AND_SWP;
    }

    /** Whether the responder will refuse it. */
    bool IsRefused() const
    {
        return hasBadKey && (IsAtomic() || (bytes > 0 && (IsWrite() || IsRead())));
    }

    bool IsRead() const
    {
        return opcode == SendOpcode::RDMA_READ;
    }

    bool IsWrite() const
    {
        return opcode == SendOpcode::RDMA_WRITE || opcode == SendOpcode::RDMA_WRITE_WITH_IMM;
    }
};

/** One of those that come to an end: go-back-0 may repeat the same message for ever. */
inline const NamedRcPolicy&
ChoosePolicy(uint64_t seed)
{
    std::vector<const NamedRcPolicy*> ending;
    for (const NamedRcPolicy& named : GetRcPolicies())
    {
        if (named.policy.goBack == RcPolicy::GoBack::TO_LOST_PACKET)
        {
            ending.push_back(&named);
        }
    }
    return *ending[seed % ending.size()];
}

/** A random list of work requests, the connection that runs it, and what the channel does. */
struct ConnectionCase
{
    static constexpr uint32_t MTU = 256;
    static constexpr uint32_t MAX_BYTES = 5 * MTU + 3;

    uint64_t seed{0};
    std::string policyName;
    ConnectionSettings settings;
    uint32_t lossPermille{0}; ///< lost or damaged
    uint32_t duplicatePermille{0};
    uint32_t latePermille{0};
    std::vector<CaseOperation> operations;

    bool IsFaulty() const
    {
        return lossPermille + duplicatePermille + latePermille > 0;
    }

    bool IsRefused() const
    {
        return std::ranges::any_of(operations, &CaseOperation::IsRefused);
    }

    std::string Describe() const
    {
        std::ostringstream text;
        text << "seed " << seed << ", policy " << policyName << ", first psn "
             << settings.firstPsn.Get() << ", queue " << settings.capabilities.maxSendRequests
             << ", window " << settings.windowBytes << ", credits "
             << settings.policy.hasEndToEndCredits << ", READs "
             << int{settings.client.maxReadAtomic} << ", retries "
             << int{settings.client.retryCount} << '/' << int{settings.client.rnrRetry}
             << "; permille lost " << lossPermille << ", twice " << duplicatePermille << ", late "
             << latePermille << '\n';
        for (std::size_t index = 0; index < operations.size(); ++index)
        {
            const CaseOperation& operation = operations[index];
            text << "  " << index << ": opcode " << int(operation.opcode) << ' ' << operation.bytes
                 << " B in " << operation.pieces << " pieces, flags " << int{operation.flags}
                 << (operation.hasBadKey ? ", bad key" : "") << ", receive at "
                 << operation.receiveAt.ps / 1000 << " ns\n";
        }
        return text.str();
    }
};

inline CaseOperation
DrawOperation(RandomStream& random)
{
    static constexpr std::array<SendOpcode, 8> OPCODES{SendOpcode::RDMA_WRITE,
                                                       SendOpcode::RDMA_WRITE_WITH_IMM,
                                                       SendOpcode::SEND,
                                                       SendOpcode::SEND_WITH_IMM,
                                                       SendOpcode::RDMA_READ,
                                                       SendOpcode::ATOMIC_CMP_AND_SWP,
                                                       SendOpcode::ATOMIC_FETCH_AND_ADD,
                                                       SendOpcode::SEND_WITH_INV};
    CaseOperation operation;
    operation.opcode = OPCODES[random.NextBelow(OPCODES.size())];
    // Around whole packets, where the cases are: 0, MTU - 1, MTU, MTU + 1, ...
    const uint64_t around = ConnectionCase::MTU * random.NextBelow(6) + random.NextBelow(5);
    operation.bytes = static_cast<uint32_t>(
        std::min<uint64_t>(around < 2 ? around : around - 2, ConnectionCase::MAX_BYTES));
    operation.pieces = 1 + static_cast<uint32_t>(random.NextBelow(3));
    operation.flags = random.NextBelow(3) > 0 ? SEND_SIGNALED : 0;
    operation.flags |= random.NextBelow(4) == 0 ? SEND_FENCE : 0;
    operation.flags |= random.NextBelow(4) == 0 ? SEND_SOLICITED : 0;
    operation.receiveAt =
        SimTime::Nanoseconds(random.NextBelow(2) == 0 ? 0 : random.NextBelow(40'000));
    if (operation.IsAtomic())
    {
        operation.bytes = ATOMIC_BYTES;
        operation.pieces = 1;
    }
    return operation;
}

inline ConnectionCase
DrawCase(uint64_t seed)
{
    RandomStream random{seed, "case"};
    ConnectionCase drawn;
    drawn.seed = seed;
    const NamedRcPolicy& named = ChoosePolicy(seed);
    drawn.policyName = named.name;
    ConnectionSettings& settings = drawn.settings;
    settings.policy = named.policy;
    settings.policy.hasEndToEndCredits = random.NextBelow(3) == 0;
    settings.firstPsn =
        Psn{random.NextBelow(3) == 0 ? Psn::MASK - random.NextBelow(20) : random.NextBits()};
    settings.capabilities.maxSendRequests = 1 + static_cast<uint32_t>(random.NextBelow(8));
    settings.windowBytes = std::array{Requester::NO_WINDOW,
                                      Requester::NO_WINDOW,
                                      uint64_t{1000},
                                      uint64_t{1}}[random.NextBelow(4)];
    settings.client.timeout = static_cast<uint8_t>(2 + random.NextBelow(3)); // 16 to 66 us
    settings.client.retryCount = random.NextBelow(4) == 0 ? 2 : 6;
    settings.client.rnrRetry = random.NextBelow(4) == 0 ? 2 : 7;
    settings.client.maxReadAtomic = static_cast<uint8_t>(1 + random.NextBelow(4));
    settings.server.maxDestReadAtomic = settings.client.maxReadAtomic;
    settings.server.accessFlags = ACCESS_ALL;
    settings.server.minRnrTimer = static_cast<uint8_t>(1 + random.NextBelow(4)); // 10 to 40 us
    // From 0.1 % to 10 %, each second one of a kind; a quarter of all lists runs undisturbed.
    const auto rate = [&]
    { return static_cast<uint32_t>(random.NextBelow(2) == 0 ? 0 : 1 + random.NextBelow(100)); };
    if (random.NextBelow(4) > 0)
    {
        drawn.lossPermille = rate();
        drawn.duplicatePermille = rate();
        drawn.latePermille = rate();
    }
    const uint64_t count = 1 + random.NextBelow(16);
    for (uint64_t index = 0; index < count; ++index)
    {
        drawn.operations.push_back(DrawOperation(random));
        drawn.operations.back().hasBadKey = random.NextBelow(200) == 0;
    }
    return drawn;
}

} // namespace ns3::rdma
