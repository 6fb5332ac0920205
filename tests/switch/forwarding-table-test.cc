// SPDX-License-Identifier: GPL-2.0-only
#include "switch/forwarding-table.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::rdma
{
namespace
{

std::vector<uint16_t>
PortsOf(const ForwardingTable& table, uint32_t destination)
{
    std::vector<uint16_t> ports;
    const ForwardingTable::Group group = table.Find(destination);
    for (uint32_t i = 0; i < group.count; ++i)
    {
        ports.push_back(table.GetPort(group.first + i));
    }
    return ports;
}

// Single ports, neighbours, ports with a hole between them (added to the list once), and no way.
TEST(ForwardingTable, FindsEveryGroup)
{
    ForwardingTable table{6};
    const std::vector<std::vector<uint32_t>> groups{{4}, {2, 3, 4}, {0, 2, 5}, {}, {0, 2, 5}};
    for (const auto& group : groups)
    {
        table.AddDestination(group);
    }
    for (uint32_t destination = 0; destination < groups.size(); ++destination)
    {
        EXPECT_EQ(PortsOf(table, destination),
                  std::vector<uint16_t>(groups[destination].begin(), groups[destination].end()));
    }
    EXPECT_EQ(table.Find(2).first, table.Find(4).first);
}

} // namespace
} // namespace ns3::rdma
