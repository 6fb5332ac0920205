// SPDX-License-Identifier: GPL-2.0-only
#include "engine/simulator-choice.h"

#include "ns3/global-value.h"
#include "ns3/object-factory.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{

namespace
{

/** An engine by the TypeIds that ns-3 knows. */
struct Engine
{
    const char* name;
    const char* implementation;
    const char* scheduler;
};

constexpr const char* STOCK = "ns3::DefaultSimulatorImpl";

constexpr std::array<Engine, 5> ENGINES{{
    {"fabric", "ns3::rdma::FabricSimulatorImpl", "ns3::MapScheduler"},
    {"map", STOCK, "ns3::MapScheduler"},
    {"calendar", STOCK, "ns3::CalendarScheduler"},
    {"list", STOCK, "ns3::ListScheduler"},
    {"priority-queue", STOCK, "ns3::PriorityQueueScheduler"},
}};

} // namespace

std::vector<std::string>
GetEngineNames()
{
    std::vector<std::string> names;
    for (const Engine& engine : ENGINES)
    {
        names.emplace_back(engine.name);
    }
    return names;
}

std::optional<Diagnostic>
SelectEngine(const std::string& name)
{
    const auto engine = std::find_if(
        ENGINES.begin(), ENGINES.end(), [&name](const Engine& e) { return name == e.name; });
    if (engine == ENGINES.end())
    {
        const std::vector<std::string> known = GetEngineNames();
        Diagnostic unknown;
        unknown.key = "engine";
        unknown.message = "unknown engine";
        unknown.got = name;
        unknown.nearest = NearestName(name, known);
        unknown.knownNames = known;
        return unknown;
    }
    GlobalValue::Bind("SimulatorImplementationType", StringValue(engine->implementation));
    GlobalValue::Bind("SchedulerType", StringValue(engine->scheduler));
    const std::string running = Simulator::GetImplementation()->GetInstanceTypeId().GetName();
    if (running != engine->implementation)
    {
        Diagnostic other;
        other.key = "engine";
        other.message = "another simulator implementation runs already; an engine is chosen "
                        "before anything uses the simulator";
        other.got = running;
        other.expected = engine->implementation;
        return other;
    }
    // An implementation that was made before the global value changed keeps its scheduler.
    ObjectFactory scheduler;
    scheduler.SetTypeId(engine->scheduler);
    Simulator::SetScheduler(scheduler);
    return std::nullopt;
}

} // namespace ns3::rdma
