// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "congestion/congestion-control.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <gmock/gmock.h>
#include <string>

namespace ns3::rdma
{

/** An algorithm of a registered class, with its default attributes. */
inline Ptr<CongestionControl>
Make(TypeId tid)
{
    ObjectFactory factory;
    factory.SetTypeId(tid);
    return factory.Create<CongestionControl>();
}

/** Sets the attributes of an algorithm to those of a set. */
inline void
Apply(const ParameterSet& set, CongestionControl& algorithm)
{
    for (const ParameterSet::Entry& entry : set.entries)
    {
        EXPECT_TRUE(algorithm.SetAttributeFailSafe(std::string{entry.attribute},
                                                   StringValue(std::string{entry.value})))
            << entry.attribute << " = " << entry.value;
    }
}

} // namespace ns3::rdma
