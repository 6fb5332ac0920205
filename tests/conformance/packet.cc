// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/packet.h"

#include <array>
#include <cstdio>

namespace ns3::rdma
{

namespace
{

template <class... Args>
void
Append(std::string& text, const char* format, Args... args)
{
    std::array<char, 160> line;
    std::snprintf(line.data(), line.size(), format, args...);
    text += line.data();
}

using Number = unsigned long long;

void
AppendAeth(std::string& text, const Aeth& aeth)
{
    const unsigned value = aeth.syndrome & SYNDROME_VALUE_MASK;
    switch (aeth.syndrome & SYNDROME_TYPE_MASK)
    {
    case SYNDROME_TYPE_ACK:
        Append(text, " ACK credits=%u", value);
        break;
    case SYNDROME_TYPE_RNR:
        Append(text, " RNR_NAK timer=%u", value);
        break;
    default:
        Append(text,
               " NAK %s",
               std::string{value < NAK_NAMES.size() ? NAK_NAMES[value] : "?"}.c_str());
    }
    Append(text, " msn=%u", aeth.msn);
}

} // namespace

std::string
ShortName(Opcode opcode)
{
    using enum Opcode;
    switch (opcode)
    {
    case RC_SEND_FIRST:
        return "SEND_FIRST";
    case RC_SEND_MIDDLE:
        return "SEND_MIDDLE";
    case RC_SEND_LAST:
        return "SEND_LAST";
    case RC_SEND_LAST_WITH_IMMEDIATE:
        return "SEND_LAST_IMM";
    case RC_SEND_ONLY:
        return "SEND_ONLY";
    case RC_SEND_ONLY_WITH_IMMEDIATE:
        return "SEND_ONLY_IMM";
    case RC_RDMA_WRITE_FIRST:
        return "WRITE_FIRST";
    case RC_RDMA_WRITE_MIDDLE:
        return "WRITE_MIDDLE";
    case RC_RDMA_WRITE_LAST:
        return "WRITE_LAST";
    case RC_RDMA_WRITE_LAST_WITH_IMMEDIATE:
        return "WRITE_LAST_IMM";
    case RC_RDMA_WRITE_ONLY:
        return "WRITE_ONLY";
    case RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE:
        return "WRITE_ONLY_IMM";
    case RC_RDMA_READ_REQUEST:
        return "READ_REQ";
    case RC_RDMA_READ_RESPONSE_FIRST:
        return "READ_RESP_FIRST";
    case RC_RDMA_READ_RESPONSE_MIDDLE:
        return "READ_RESP_MIDDLE";
    case RC_RDMA_READ_RESPONSE_LAST:
        return "READ_RESP_LAST";
    case RC_RDMA_READ_RESPONSE_ONLY:
        return "READ_RESP_ONLY";
    case RC_ACKNOWLEDGE:
        return "ACK";
    case RC_ATOMIC_ACKNOWLEDGE:
        return "ATOMIC_ACK";
    case RC_COMPARE_SWAP:
        return "CMP_SWAP";
    case RC_FETCH_ADD:
        return "FETCH_ADD";
    case RC_SEND_LAST_WITH_INVALIDATE:
        return "SEND_LAST_INV";
    case RC_SEND_ONLY_WITH_INVALIDATE:
        return "SEND_ONLY_INV";
    default:
        return "";
    }
}

std::string
ToDecodedLine(const Packet& packet)
{
    std::string text = ToString(packet);
    std::string qp;
    Append(qp, " qp=%x", packet.destinationQp);
    text.insert(text.find(' '), qp);
    std::string line;
    const char* path = packet.sender == 0 ? "1>2" : "2>1";
    Append(line, "%4u %9.5f %s RC ", packet.number, packet.time, path);
    return line + text;
}

std::string
ToString(const Packet& packet)
{
    const OpcodeInfo& info = GetOpcodeInfo(packet.opcode);
    std::string text = ShortName(packet.opcode);
    Append(text,
           " psn=%06x %c%c-",
           packet.psn.Get(),
           packet.ackRequest ? 'A' : '-',
           packet.isSolicited ? 'S' : '-');
    if (packet.padBytes > 0)
    {
        Append(text, " pad=%u", packet.padBytes);
    }
    if (info.Has(HEADER_RETH))
    {
        const Reth& reth = packet.reth;
        const Number address = reth.virtualAddress;
        Append(text, " RETH va=0x%llx rkey=0x%x len=%u", address, reth.rkey, reth.dmaLength);
    }
    if (info.Has(HEADER_ATOMIC_ETH))
    {
        const AtomicEth& atomic = packet.atomic;
        const Number address = atomic.virtualAddress;
        Append(text, " ATOMIC va=0x%llx rkey=0x%x", address, atomic.rkey);
        Append(
            text, " swap/add=0x%llx cmp=0x%llx", Number{atomic.swapOrAdd}, Number{atomic.compare});
    }
    if (info.Has(HEADER_AETH))
    {
        AppendAeth(text, packet.aeth);
    }
    if (info.Has(HEADER_ATOMIC_ACK_ETH))
    {
        Append(text, " orig=0x%llx", Number{packet.atomicOriginal});
    }
    if (info.Has(HEADER_IMMEDIATE))
    {
        Append(text, " IMM=0x%08x", packet.immediate);
    }
    if (info.Has(HEADER_IETH))
    {
        Append(text, " IETH rkey=0x%x", packet.immediate);
    }
    Append(text, " plen=%u%s", packet.payloadBytes, packet.isDamaged ? " icrc=BAD" : "");
    return text;
}

} // namespace ns3::rdma
