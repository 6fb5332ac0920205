// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "tests/conformance/packet.h"

#include <istream>
#include <string>

namespace ns3::rdma
{

/**
 * Reads a capture's decoded text: one line per packet, equal neighbours folded.
 *
 *     12   0.04809 1>2 RC WRITE_FIRST qp=44 psn=12345c --- RETH va=0x7f85 rkey=0x34ed len=3000 ...
 *     13   0.04842 1>2 RC WRITE_MIDDLE qp=44 psn=12345d --- plen=1024   ... x14 up to psn 12346a
 *
 * Packets that are not of a reliable connection (datagrams, management, other protocols) are left
 * out. The client is the host with the smaller number or address.
 *
 * @param file its name, for diagnostics
 * @error a line of a reliable connection that is not understood, or that the capture cut short
 */
Expected<Packets> ReadDecoded(std::istream& text, const std::string& file);

} // namespace ns3::rdma
