// SPDX-License-Identifier: GPL-2.0-only
// Coverage-guided search for bytes that break the readers of packets and pcap files.
#include "tests/fuzz/wire-properties.h"

#include <cstdlib>

/** The first byte chooses the reader, the rest is its input. */
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    using namespace ns3::rdma;
    const auto input = std::as_bytes(std::span{data, size});
    if (input.empty())
    {
        return 0;
    }
    const auto rest = input.subspan(1);
    const bool isFile = input.front() == std::byte{'p'};
    const std::string_view failed = isFile ? CheckPcapProperties(rest) : CheckFrameProperties(rest);
    if (!failed.empty())
    {
        std::abort();
    }
    return 0;
}
