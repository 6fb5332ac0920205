// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/operation-text.h"

#include "tracefile/operation-fields.h"
#include "tracefile/trace-manifest.h"

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>

namespace ns3::rdma
{

namespace
{

using Names = std::span<const std::string_view>;

/** @spec rdma-core: enum ibv_wr_opcode */
constexpr std::array<std::string_view, 12> SEND_OPCODES{"RDMA_WRITE",
                                                        "RDMA_WRITE_WITH_IMM",
                                                        "SEND",
                                                        "SEND_WITH_IMM",
                                                        "RDMA_READ",
                                                        "ATOMIC_CMP_AND_SWP",
                                                        "ATOMIC_FETCH_AND_ADD",
                                                        "LOCAL_INV",
                                                        "BIND_MW",
                                                        "SEND_WITH_INV",
                                                        "TSO",
                                                        "DRIVER1"};

/** @spec rdma-core: enum ibv_wc_opcode, those of sends and those from RECEIVE_OPCODE */
constexpr std::array<std::string_view, 10> SEND_COMPLETIONS{"SEND",
                                                            "RDMA_WRITE",
                                                            "RDMA_READ",
                                                            "COMP_SWAP",
                                                            "FETCH_ADD",
                                                            "BIND_MW",
                                                            "LOCAL_INV",
                                                            "TSO",
                                                            "FLUSH",
                                                            "ATOMIC_WRITE"};
constexpr std::array<std::string_view, 2> RECEIVE_COMPLETIONS{"RECV", "RECV_RDMA_WITH_IMM"};
constexpr uint8_t RECEIVE_OPCODE = 128;

/** @spec rdma-core: enum ibv_wc_status */
constexpr std::array<std::string_view, 24> STATUSES{"SUCCESS",
                                                    "LOC_LEN_ERR",
                                                    "LOC_QP_OP_ERR",
                                                    "LOC_EEC_OP_ERR",
                                                    "LOC_PROT_ERR",
                                                    "WR_FLUSH_ERR",
                                                    "MW_BIND_ERR",
                                                    "BAD_RESP_ERR",
                                                    "LOC_ACCESS_ERR",
                                                    "REM_INV_REQ_ERR",
                                                    "REM_ACCESS_ERR",
                                                    "REM_OP_ERR",
                                                    "RETRY_EXC_ERR",
                                                    "RNR_RETRY_EXC_ERR",
                                                    "LOC_RDD_VIOL_ERR",
                                                    "REM_INV_RD_REQ_ERR",
                                                    "REM_ABORT_ERR",
                                                    "INV_EECN_ERR",
                                                    "INV_EEC_STATE_ERR",
                                                    "FATAL_ERR",
                                                    "RESP_TIMEOUT_ERR",
                                                    "GENERAL_ERR",
                                                    "TM_ERR",
                                                    "TM_RNDV_INCOMPLETE"};

/** @spec rdma-core: enum ibv_qp_state */
constexpr std::array<std::string_view, 7>
    STATES{"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};

constexpr std::array<std::string_view, 13> KINDS{"NONE",
                                                 "POST_SEND",
                                                 "POST_RECEIVE",
                                                 "POST_SHARED_RECEIVE",
                                                 "COMPLETION",
                                                 "EMPTY_POLLS",
                                                 "ARM",
                                                 "CQ_EVENT",
                                                 "ACK_CQ_EVENTS",
                                                 "CONTROL",
                                                 "MESSAGE",
                                                 "MESSAGE_RECEIVE",
                                                 "COMPUTE"};

constexpr std::array<std::string_view, 5> VERBS{"NONE", "CREATE", "MODIFY", "DESTROY", "CM"};

constexpr std::array<std::string_view, 12> OBJECTS{"NONE",
                                                   "DEVICE",
                                                   "PROTECTION_DOMAIN",
                                                   "MEMORY_REGION",
                                                   "MEMORY_WINDOW",
                                                   "COMPLETION_CHANNEL",
                                                   "COMPLETION_QUEUE",
                                                   "SHARED_RECEIVE_QUEUE",
                                                   "QUEUE_PAIR",
                                                   "ADDRESS_HANDLE",
                                                   "XRC_DOMAIN",
                                                   "CM_ID"};

/** What the object of a kind of operation is; empty: it has none, or says it itself. */
constexpr std::array<std::string_view, 13> OBJECTS_OF_KINDS{"",
                                                            "queue pair",
                                                            "queue pair",
                                                            "shared receive queue",
                                                            "queue pair",
                                                            "completion queue",
                                                            "completion queue",
                                                            "completion queue",
                                                            "completion queue",
                                                            "",
                                                            "connection",
                                                            "connection",
                                                            ""};

/** @spec rdma-core: the rdma_* functions; the names are those of ConnectionStep::Call */
constexpr std::array<std::string_view, 10> CALLS{"NONE",
                                                 "RESOLVE_ADDR",
                                                 "RESOLVE_ROUTE",
                                                 "BIND",
                                                 "LISTEN",
                                                 "CONNECT",
                                                 "ACCEPT",
                                                 "REJECT",
                                                 "DISCONNECT",
                                                 "EVENT"};

/** Numbers that people read in hexadecimal. */
constexpr std::array<std::string_view, 15> HEXADECIMAL{"local_address",
                                                       "remote_address",
                                                       "local_key",
                                                       "rkey",
                                                       "lkey",
                                                       "immediate",
                                                       "flags",
                                                       "compare_add",
                                                       "swap",
                                                       "address",
                                                       "iova",
                                                       "access",
                                                       "access_flags",
                                                       "mask",
                                                       "qkey"};

/** Numbers of objects: 0 is one, NO_OBJECT is none. */
constexpr std::array<std::string_view, 8> OBJECT_NUMBERS{"object",
                                                         "other",
                                                         "protection_domain",
                                                         "channel",
                                                         "send_queue",
                                                         "receive_queue",
                                                         "shared_receive_queue",
                                                         "queue_pair"};

std::string
NameOf(Names names, std::size_t value)
{
    return value < names.size() ? std::string{names[value]} : std::to_string(value);
}

std::string
ToHex(uint64_t value)
{
    constexpr std::string_view DIGITS = "0123456789abcdef";
    std::string text;
    do
    {
        text.insert(text.begin(), DIGITS[value & 0xf]);
        value >>= 4;
    } while (value != 0);
    return "0x" + text;
}

/** A value of a field with that name; empty if there is nothing to tell. */
template <typename T>
std::string
ToText(std::string_view name, const T& value)
{
    if constexpr (std::is_same_v<T, Gid>)
    {
        return value == Gid{} ? "" : ToString(value);
    }
    else if constexpr (std::is_same_v<T, std::string>)
    {
        return value;
    }
    else if constexpr (std::is_same_v<T, ConnectionStep::Call>)
    {
        return NameOf(CALLS, static_cast<std::size_t>(value));
    }
    else
    {
        const bool isObject = std::ranges::count(OBJECT_NUMBERS, name) != 0;
        if (value == static_cast<T>(isObject ? NO_OBJECT : 0))
        {
            return "";
        }
        const bool isHexadecimal = std::ranges::count(HEXADECIMAL, name) != 0;
        return isHexadecimal ? ToHex(static_cast<uint64_t>(value)) : std::to_string(+value);
    }
}

/** " name=value" for each field of an owner that has something to tell. */
template <typename OWNER, typename FIELDS>
std::string
DescribeFields(const OWNER& owner, const FIELDS& fields)
{
    std::string text;
    const auto add = [&text, &owner](const auto& field)
    {
        const std::string value = ToText(field.name, owner.*field.member);
        text += value.empty() ? "" : std::string{" "} + field.name + "=" + value;
    };
    std::apply([&add](const auto&... all) { (add(all), ...); }, fields);
    return text;
}

std::string
DescribeControl(const Control& control)
{
    std::string text;
    if (const auto* change = std::get_if<QueuePairChange>(&control.detail))
    {
        constexpr uint32_t HAS_STATE = 1; // IBV_QP_STATE
        text += (change->mask & HAS_STATE) != 0 ? " to " + GetStateName(change->state) : "";
    }
    return text + std::visit([]<typename DETAIL>(const DETAIL& detail)
                             { return DescribeFields(detail, DETAIL_FIELDS<DETAIL>); },
                             control.detail);
}

} // namespace

std::string
ToString(OperationKind kind)
{
    return NameOf(KINDS, static_cast<std::size_t>(kind));
}

std::string
ToString(ObjectKind kind)
{
    return NameOf(OBJECTS, static_cast<std::size_t>(kind));
}

std::string
ToString(ControlVerb verb)
{
    return NameOf(VERBS, static_cast<std::size_t>(verb));
}

std::string
GetSendOpcodeName(uint8_t opcode)
{
    return NameOf(SEND_OPCODES, opcode);
}

std::string
GetCompletionOpcodeName(uint8_t opcode)
{
    const bool isReceive =
        opcode >= RECEIVE_OPCODE && opcode < RECEIVE_OPCODE + RECEIVE_COMPLETIONS.size();
    return isReceive ? NameOf(RECEIVE_COMPLETIONS, opcode - RECEIVE_OPCODE)
                     : NameOf(SEND_COMPLETIONS, opcode);
}

std::string
GetStatusName(uint8_t status)
{
    return NameOf(STATUSES, status);
}

std::string
GetStateName(uint8_t state)
{
    return NameOf(STATES, state);
}

std::string
GetOpcodeName(const TraceOperation& operation)
{
    switch (operation.kind)
    {
    case OperationKind::POST_SEND:
    case OperationKind::MESSAGE:
        return GetSendOpcodeName(operation.opcode);
    case OperationKind::COMPLETION:
        return GetCompletionOpcodeName(operation.opcode);
    case OperationKind::CONTROL:
        return ToString(operation.control.verb) + " " + ToString(operation.control.kind);
    case OperationKind::NONE:
    case OperationKind::POST_RECEIVE:
    case OperationKind::POST_SHARED_RECEIVE:
    case OperationKind::EMPTY_POLLS:
    case OperationKind::ARM:
    case OperationKind::CQ_EVENT:
    case OperationKind::ACK_CQ_EVENTS:
    case OperationKind::MESSAGE_RECEIVE:
    case OperationKind::COMPUTE:
        break;
    }
    return "";
}

std::string
DescribeOperation(const TraceOperation& operation)
{
    std::string text = ToString(operation.kind);
    const std::string opcode = GetOpcodeName(operation);
    text += opcode.empty() ? "" : " " + opcode;
    const std::string object = NameOf(OBJECTS_OF_KINDS, static_cast<std::size_t>(operation.kind));
    if (operation.object != NO_OBJECT)
    {
        text += (object.empty() ? " " : " " + object + " ") + std::to_string(operation.object);
    }
    if (operation.kind == OperationKind::COMPLETION)
    {
        text += " " + GetStatusName(operation.status);
    }
    TraceOperation rest = operation;
    rest.opcode = 0;
    rest.object = NO_OBJECT;
    rest.status = 0;
    text += DescribeFields(rest, OPERATION_FIELDS);
    return text +
           (operation.kind == OperationKind::CONTROL ? DescribeControl(operation.control) : "");
}

} // namespace ns3::rdma
