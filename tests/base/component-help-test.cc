// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

TEST(ComponentHelp, FindsTheSentenceOfAClass)
{
    const ComponentHelp help{"ns3::rdma::ComponentHelpTest", "What it is"};
    EXPECT_EQ(ComponentHelp::Find("ns3::rdma::ComponentHelpTest"), "What it is");
    EXPECT_EQ(ComponentHelp::Find("ns3::rdma::Nowhere"), "");
}

} // namespace ns3::rdma
