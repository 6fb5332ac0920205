// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/scenario.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::rdma
{

/** All engines that results must not depend on, for tests with one of them as their parameter. */
inline auto
EveryEngine()
{
    return testing::Values(EngineChoice{"fabric", false},
                           EngineChoice{"fabric", true},
                           EngineChoice{"map", false},
                           EngineChoice{"map", true},
                           EngineChoice{"calendar", false},
                           EngineChoice{"calendar", true});
}

/** The name of a test with an engine: "calendarWithEagerPorts". */
inline std::string
NameEngine(const testing::TestParamInfo<EngineChoice>& info)
{
    return info.param.simulator + (info.param.eagerPorts ? "WithEagerPorts" : "WithLazyPorts");
}

} // namespace ns3::rdma
