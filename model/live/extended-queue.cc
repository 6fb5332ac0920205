// SPDX-License-Identifier: GPL-2.0-only
#include "live/extended-queue.h"

#include "live/control-call.h"
#include "live/device-hooks.h"
#include "live/recorder.h"

#include <cerrno>
#include <endian.h>

namespace ns3::rdma
{

namespace
{

/** Records the entry on which a poll stands. */
void
RecordEntry(ibv_cq_ex* queue, const LiveObject& object)
{
    ThreadLog* log = GetThreadLog();
    if (log == nullptr)
    {
        return;
    }
    const uint64_t has = object.polls->flags;
    log->Open();
    RawOperation* raw = log->Reserve();
    *raw = {.ticks = ReadTicks(),
            .status = static_cast<uint8_t>(queue->status),
            .other = object.id,
            .wrId = queue->wr_id};
    if ((has & IBV_WC_EX_WITH_QP_NUM) != 0)
    {
        raw->object =
            LiveObjects::Get().FindNumber(object.device->index, ibv_wc_read_qp_num(queue));
    }
    if (queue->status == IBV_WC_SUCCESS)
    {
        const unsigned flags = ibv_wc_read_wc_flags(queue);
        raw->opcode = static_cast<uint8_t>(ibv_wc_read_opcode(queue));
        raw->flags = static_cast<uint8_t>(flags);
        raw->bytes = (has & IBV_WC_EX_WITH_BYTE_LEN) != 0 ? ibv_wc_read_byte_len(queue) : 0;
        raw->localKey = (has & IBV_WC_EX_WITH_SRC_QP) != 0 ? ibv_wc_read_src_qp(queue) : 0;
        if ((has & IBV_WC_EX_WITH_IMM) != 0 && (flags & (IBV_WC_WITH_IMM | IBV_WC_WITH_INV)) != 0)
        {
            raw->rkey = (flags & IBV_WC_WITH_IMM) != 0 ? be32toh(ibv_wc_read_imm_data(queue))
                                                       : ibv_wc_read_invalidated_rkey(queue);
        }
    }
    raw->kind = OperationKind::COMPLETION;
    log->Close();
}

int
StartPoll(ibv_cq_ex* queue, ibv_poll_cq_attr* attributes)
{
    const LiveObject& object = NeedCompletionQueue(ibv_cq_ex_to_cq(queue));
    const int result = object.polls->startPoll(queue, attributes);
    if (result == 0)
    {
        RecordEntry(queue, object);
    }
    else if (result == ENOENT)
    {
        if (ThreadLog* log = GetThreadLog())
        {
            log->CountEmptyPoll(object.id);
        }
    }
    return result;
}

int
NextPoll(ibv_cq_ex* queue)
{
    const LiveObject& object = NeedCompletionQueue(ibv_cq_ex_to_cq(queue));
    const int result = object.polls->nextPoll(queue);
    if (result == 0)
    {
        RecordEntry(queue, object);
    }
    return result;
}

} // namespace

void
RecordExtendedQueue(ControlCall& call,
                    ibv_cq_ex* queue,
                    const ibv_comp_channel* channel,
                    uint64_t flags)
{
    LiveObject* object =
        queue == nullptr
            ? nullptr
            : call.Create(
                  queue,
                  ObjectKind::COMPLETION_QUEUE,
                  FindDeviceHooks(queue->context),
                  ToBytes(CompletionQueueDetail{.entries = static_cast<uint32_t>(queue->cqe),
                                                .channel = LiveObjects::Get().FindId(channel)}));
    if (object == nullptr || queue->start_poll == nullptr)
    {
        return;
    }
    object->polls = std::make_unique<ExtendedQueue>(ExtendedQueue{
        .startPoll = queue->start_poll, .nextPoll = queue->next_poll, .flags = flags});
    queue->start_poll = &StartPoll;
    queue->next_poll = &NextPoll;
}

} // namespace ns3::rdma
