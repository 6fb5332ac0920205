// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "tests/conformance/packet.h"

#include <filesystem>

namespace ns3::rdma
{

/**
 * Reads the packets of reliable connections from a capture: a pcap file, or decoded text.
 *
 * The client is the host with the smaller address. Frames that the capture cut short keep their
 * headers; whether their ICRC fits is not known and taken as good.
 *
 * @error a file that cannot be read
 */
Expected<Packets> ReadCapture(const std::filesystem::path& file);

} // namespace ns3::rdma
