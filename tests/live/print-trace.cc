// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/thread-file-header.h"
#include "tracefile/thread-file-stream.h"

#include <array>
#include <fstream>
#include <iostream>

/**
 * @file
 * Prints a thread file, an operation a line as JSON, for the tests of the recorder.
 */
using namespace ns3::rdma;

namespace
{

std::string
Quote(const Gid& gid)
{
    constexpr std::string_view DIGITS = "0123456789abcdef";
    std::string text = "\"";
    for (const std::byte byte : gid)
    {
        text += DIGITS[static_cast<unsigned>(byte) >> 4];
        text += DIGITS[static_cast<unsigned>(byte) & 0xf];
    }
    return text + "\"";
}

struct DetailPrinter
{
    void operator()(const std::monostate&) const {}

    void operator()(const DeviceDetail& d) const
    {
        std::cout << ",\"name\":\"" << d.name << "\",\"gid\":" << Quote(d.gid);
    }

    void operator()(const MemoryRegionDetail& d) const
    {
        std::cout << ",\"pd\":" << d.protectionDomain << ",\"address\":" << d.address
                  << ",\"length\":" << d.bytes << ",\"access\":" << d.access
                  << ",\"lkey\":" << d.lkey << ",\"rkey\":" << d.rkey;
    }

    void operator()(const CompletionQueueDetail& d) const
    {
        std::cout << ",\"entries\":" << d.entries << ",\"channel\":" << d.channel;
    }

    void operator()(const SharedReceiveQueueDetail& d) const
    {
        std::cout << ",\"max_requests\":" << d.maxRequests << ",\"limit\":" << d.limit;
    }

    void operator()(const QueuePairDetail& d) const
    {
        std::cout << ",\"type\":" << int{d.type} << ",\"number\":" << d.number
                  << ",\"send_cq\":" << d.sendQueue << ",\"receive_cq\":" << d.receiveQueue
                  << ",\"srq\":" << d.sharedReceiveQueue << ",\"max_send\":" << d.maxSendRequests;
    }

    void operator()(const QueuePairChange& d) const
    {
        std::cout << ",\"mask\":" << d.mask << ",\"state\":" << int{d.state}
                  << ",\"mtu\":" << int{d.pathMtu} << ",\"destination_qp\":" << d.destinationQp
                  << ",\"destination\":" << Quote(d.destination)
                  << ",\"receive_psn\":" << d.receivePsn << ",\"send_psn\":" << d.sendPsn;
    }

    void operator()(const AddressHandleDetail& d) const
    {
        std::cout << ",\"destination\":" << Quote(d.destination);
    }

    void operator()(const ConnectionStep& d) const
    {
        std::cout << ",\"call\":" << static_cast<int>(d.call) << ",\"event\":" << int{d.event}
                  << ",\"step_status\":" << d.status << ",\"qp\":" << d.queuePair;
    }

    void operator()(const ConnectionDetail&) const {}
};

void
Print(const TraceOperation& o)
{
    std::cout << "{\"kind\":" << static_cast<int>(o.kind) << ",\"opcode\":" << int{o.opcode}
              << ",\"flags\":" << int{o.flags} << ",\"status\":" << int{o.status}
              << ",\"elements\":" << int{o.elements} << ",\"result\":" << o.result
              << ",\"object\":" << o.object << ",\"other\":" << o.other << ",\"time\":" << o.timeNs
              << ",\"duration\":" << o.durationNs << ",\"wr_id\":" << o.wrId
              << ",\"bytes\":" << o.bytes << ",\"local\":" << o.localAddress
              << ",\"remote\":" << o.remoteAddress << ",\"compare_add\":" << o.compareAdd
              << ",\"swap\":" << o.swap << ",\"lkey\":" << o.localKey << ",\"rkey\":" << o.rkey
              << ",\"immediate\":" << o.immediate << ",\"remote_qp\":" << o.remoteQp
              << ",\"count\":" << o.count;
    if (o.kind == OperationKind::CONTROL)
    {
        std::cout << ",\"verb\":" << static_cast<int>(o.control.verb)
                  << ",\"on\":" << static_cast<int>(o.control.kind);
        std::visit(DetailPrinter{}, o.control.detail);
    }
    std::cout << "}\n";
}

} // namespace

int
main(int argc, char** argv)
{
    if (argc != 2)
    {
        std::cerr << "usage: live-print-trace <thread file>\n";
        return 2;
    }
    std::ifstream file{argv[1], std::ios::binary};
    std::array<std::byte, ThreadFileHeader::MAX_BYTES> bytes{};
    file.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
    const auto header = ThreadFileHeader::Parse(
        argv[1], std::span{bytes}.first(static_cast<std::size_t>(file.gcount())));
    if (!header)
    {
        std::cerr << ToString(header.Errors());
        return 2;
    }
    ThreadFileStream stream{argv[1], *header};
    TraceOperation operation;
    while (stream.Next(operation))
    {
        Print(operation);
    }
    if (stream.GetDamage())
    {
        std::cerr << ToString(*stream.GetDamage()) << "\n";
        return 1;
    }
    return 0;
}
