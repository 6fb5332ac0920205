// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nstime.h"

#include <gmock/gmock.h>

/** The resolution is set before any Time is made, as in the runner. */
int
main(int argc, char** argv)
{
    ns3::Time::SetResolution(ns3::Time::PS);
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
