// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/replay/memory-trace.h"
#include "verbs/queue-pair-attributes.h"
#include "verbs/work-completion.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Writes what two programs did: "a" and "b", each with a queue pair that is connected to the
 * other's, and one thread. All times are nanoseconds by the program's own clock.
 */
class ProgramWriter
{
  public:
    static constexpr ObjectId PAIR = 1;
    static constexpr ObjectId QUEUE = 2;
    static constexpr ObjectId REGION = 3;
    static constexpr uint32_t KEY = 77;
    static constexpr uint64_t ADDRESS = 0x5000;
    static constexpr uint64_t BYTES = 1 << 20;

    ProgramWriter()
    {
        for (uint32_t process = 0; process < 2; ++process)
        {
            m_trace.processes.push_back(
                {.name = process == 0 ? "a" : "b", .host = process == 0 ? "ha" : "hb", .gids = {}});
            AddThread(process);
        }
        m_trace.timing = TraceTiming::RECORDED;
    }

    MemoryTrace& Get()
    {
        return m_trace;
    }

    /** @return its number */
    uint32_t AddThread(uint32_t process)
    {
        m_trace.threads.push_back(
            {.process = process, .order = ThreadOrder::PROGRAM, .operations = {}});
        return static_cast<uint32_t>(m_trace.threads.size() - 1);
    }

    TraceOperation& Add(uint32_t thread, OperationKind kind, int64_t timeNs)
    {
        TraceOperation operation;
        operation.kind = kind;
        operation.timeNs = timeNs;
        m_trace.threads[thread].operations.push_back({operation, {}});
        return m_trace.threads[thread].operations.back().operation;
    }

    TraceOperation& Control(uint32_t thread,
                            ObjectKind kind,
                            decltype(ns3::rdma::Control::detail) detail,
                            ControlVerb verb = ControlVerb::CREATE)
    {
        TraceOperation& operation = Add(thread, OperationKind::CONTROL, 0);
        operation.control = {verb, kind, std::move(detail)};
        return operation;
    }

    /** Everything until the queue pair of a process can send, at time 0. */
    void BringUp(uint32_t thread, QueuePairDetail detail = {})
    {
        const uint32_t process = m_trace.threads[thread].process;
        Control(thread,
                ObjectKind::MEMORY_REGION,
                MemoryRegionDetail{.address = ADDRESS,
                                   .iova = ADDRESS,
                                   .bytes = BYTES,
                                   .access = ACCESS_ALL,
                                   .lkey = KEY + process,
                                   .rkey = KEY + process})
            .object = REGION;
        detail.number = 100 + process;
        detail.sendQueue = QUEUE;
        detail.receiveQueue = QUEUE;
        detail.maxSendRequests = detail.maxSendRequests == 0 ? 16 : detail.maxSendRequests;
        detail.maxReceiveRequests = detail.maxReceiveRequests == 0 ? 16 : detail.maxReceiveRequests;
        Control(thread, ObjectKind::QUEUE_PAIR, detail).object = PAIR;
        QueuePairChange receive;
        receive.mask = QP_STATE | QP_DEST_QPN | QP_RQ_PSN;
        receive.state = static_cast<uint8_t>(QueuePairState::RTR);
        receive.destinationQp = 101 - process;
        receive.receivePsn = 1000 + process;
        Change(thread, receive);
        QueuePairChange send;
        send.mask = QP_STATE | QP_SQ_PSN;
        send.state = static_cast<uint8_t>(QueuePairState::RTS);
        send.sendPsn = 1001 - process;
        Change(thread, send);
    }

    void Change(uint32_t thread, const QueuePairChange& change)
    {
        Control(thread, ObjectKind::QUEUE_PAIR, change, ControlVerb::MODIFY).object = PAIR;
    }

    /** A signalled request of its own memory. @param opcode ibv_wr_opcode */
    TraceOperation& Send(uint32_t thread, int64_t timeNs, uint64_t bytes, uint8_t opcode = 2)
    {
        const uint32_t process = m_trace.threads[thread].process;
        TraceOperation& operation = Add(thread, OperationKind::POST_SEND, timeNs);
        operation.object = PAIR;
        operation.opcode = opcode;
        operation.flags = SEND_SIGNALED;
        operation.elements = 1;
        operation.bytes = bytes;
        operation.localAddress = ADDRESS;
        operation.localKey = KEY + process;
        operation.remoteAddress = opcode == 2 ? 0 : ADDRESS;
        operation.rkey = opcode == 2 ? 0 : KEY + 1 - process;
        return operation;
    }

    void Receive(uint32_t thread, int64_t timeNs, uint64_t bytes)
    {
        TraceOperation& operation = Add(thread, OperationKind::POST_RECEIVE, timeNs);
        operation.object = PAIR;
        operation.elements = 1;
        operation.bytes = bytes;
        operation.localAddress = ADDRESS;
        operation.localKey = KEY + m_trace.threads[thread].process;
    }

    TraceOperation& Take(uint32_t thread, int64_t timeNs, CompletionOpcode opcode, uint64_t bytes)
    {
        TraceOperation& operation = Add(thread, OperationKind::COMPLETION, timeNs);
        operation.object = PAIR;
        operation.other = QUEUE;
        operation.opcode = static_cast<uint8_t>(opcode);
        operation.bytes = bytes;
        return operation;
    }

    void Polls(uint32_t thread, int64_t timeNs)
    {
        TraceOperation& operation = Add(thread, OperationKind::EMPTY_POLLS, timeNs);
        operation.object = QUEUE;
        operation.count = 9;
    }

  private:
    MemoryTrace m_trace;
};

} // namespace ns3::rdma
