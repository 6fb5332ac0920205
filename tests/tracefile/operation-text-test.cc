// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/operation-text.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

// Numbers and names are those of enum ibv_wr_opcode, ibv_wc_opcode, ibv_wc_status, ibv_qp_state in
// rdma-core's verbs.h.
TEST(OperationText, NamesAreThoseOfTheVerbs)
{
    EXPECT_EQ(GetSendOpcodeName(0), "RDMA_WRITE");
    EXPECT_EQ(GetSendOpcodeName(4), "RDMA_READ");
    EXPECT_EQ(GetSendOpcodeName(9), "SEND_WITH_INV");
    EXPECT_EQ(GetSendOpcodeName(200), "200");
    EXPECT_EQ(GetCompletionOpcodeName(1), "RDMA_WRITE");
    EXPECT_EQ(GetCompletionOpcodeName(4), "FETCH_ADD");
    EXPECT_EQ(GetCompletionOpcodeName(9), "ATOMIC_WRITE");
    EXPECT_EQ(GetCompletionOpcodeName(128), "RECV");
    EXPECT_EQ(GetCompletionOpcodeName(129), "RECV_RDMA_WITH_IMM");
    EXPECT_EQ(GetCompletionOpcodeName(130), "130");
    EXPECT_EQ(GetStatusName(0), "SUCCESS");
    EXPECT_EQ(GetStatusName(5), "WR_FLUSH_ERR");
    EXPECT_EQ(GetStatusName(12), "RETRY_EXC_ERR");
    EXPECT_EQ(GetStatusName(21), "GENERAL_ERR");
    EXPECT_EQ(GetStateName(2), "RTR");
    EXPECT_EQ(GetStateName(6), "ERR");
}

TEST(OperationText, LinesTellWhatIsNotZero)
{
    TraceOperation operation;
    operation.kind = OperationKind::POST_SEND;
    operation.object = 3;
    operation.opcode = 0;
    operation.wrId = 12;
    operation.bytes = 4096;
    operation.elements = 1;
    operation.remoteAddress = 0x7f00;
    operation.rkey = 0xffffffff;
    operation.result = -22;
    EXPECT_EQ(DescribeOperation(operation),
              "POST_SEND RDMA_WRITE queue pair 3 wr_id=12 bytes=4096 remote_address=0x7f00 "
              "elements=1 rkey=0xffffffff result=-22");
    TraceOperation completion;
    completion.kind = OperationKind::COMPLETION;
    completion.object = 3;
    completion.other = 0;
    completion.opcode = 128;
    completion.status = 5;
    EXPECT_EQ(DescribeOperation(completion), "COMPLETION RECV queue pair 3 WR_FLUSH_ERR other=0");
    TraceOperation compute;
    compute.kind = OperationKind::COMPUTE;
    compute.durationNs = 500;
    EXPECT_EQ(DescribeOperation(compute), "COMPUTE duration_ns=500");
}

TEST(OperationText, ControlOperationsTellTheirDetail)
{
    TraceOperation operation;
    operation.kind = OperationKind::CONTROL;
    operation.object = 2;
    operation.control.verb = ControlVerb::MODIFY;
    operation.control.kind = ObjectKind::QUEUE_PAIR;
    QueuePairChange change;
    change.mask = 0x1;
    change.state = 2;
    change.destinationQp = 17;
    change.destination[15] = std::byte{1};
    operation.control.detail = change;
    EXPECT_EQ(DescribeOperation(operation),
              "CONTROL MODIFY QUEUE_PAIR 2 to RTR mask=0x1 state=2 destination_qp=17 "
              "destination=0000:0000:0000:0000:0000:0000:0000:0001");
    operation.control.verb = ControlVerb::CM;
    operation.control.kind = ObjectKind::CM_ID;
    ConnectionStep step;
    step.call = ConnectionStep::Call::CONNECT;
    step.queuePair = 4;
    operation.control.detail = step;
    EXPECT_EQ(DescribeOperation(operation), "CONTROL CM CM_ID 2 call=CONNECT queue_pair=4");
}

} // namespace ns3::rdma
