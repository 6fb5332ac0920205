// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/conformance/connection.h"
#include "tests/conformance/decoded-file.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** A line of a SEND of so many bytes, or of its answer. */
inline std::string
Send(double time, uint32_t psn, uint32_t bytes)
{
    std::ostringstream line;
    line << "1 " << time << " 1>2 RC SEND_ONLY qp=1 psn=" << psn << " A-- plen=" << bytes << "\n";
    return line.str();
}

/** A line of an answer with an AETH. */
inline std::string
Answer(double time, uint32_t psn, const std::string& aeth)
{
    std::ostringstream line;
    line << "1 " << time << " 2>1 RC ACK qp=2 psn=" << psn << " --- AETH " << aeth << " plen=0\n";
    return line.str();
}

inline const std::string ACK = "ACK credits=31 msn=1";
inline const std::string RNR = "RNR_NAK timer=14 msn=0";

/** Decoded text as connections. */
inline std::vector<Connection>
ReadRun(const std::string& text)
{
    std::istringstream stream{text};
    const Expected<Packets> packets = ReadDecoded(stream, "test");
    EXPECT_TRUE(packets);
    return packets ? SplitConnections(*packets) : std::vector<Connection>{};
}

} // namespace ns3::rdma
