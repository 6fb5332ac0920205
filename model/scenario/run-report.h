// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/application-runner.h"
#include "scenario/run-flows.h"
#include "scenario/scenario.h"
#include "scenario/window-totals.h"
#include "trace/size-classes.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** How many flows a run had, by status, and what they have moved. */
struct FlowTotals
{
    uint64_t total{0};
    uint64_t finished{0};
    uint64_t running{0};
    uint64_t failed{0};
    uint64_t notStarted{0};
    uint64_t stopped{0};        ///< by the timeline
    uint64_t bytes{0};          ///< of all flows
    uint64_t deliveredBytes{0}; ///< of whole messages
    uint64_t ackedBytes{0};     ///< payload, of messages under way too
};

/** What all devices have counted together. */
struct NetworkTotals
{
    std::array<FrameCount, DROP_REASON_COUNT> dropped{};
    std::array<uint64_t, DROP_REASON_COUNT> discardedAtInterfaces{}; ///< part of dropped
    uint64_t packetHops{0}; ///< frames that went onto a cable, PFC frames included
    uint64_t wireBytes{0};
    uint64_t dataFrames{0};
    uint64_t retransmittedFrames{0};
    uint64_t ackFrames{0};
    uint64_t naksReceived{0};
    uint64_t timeouts{0};
    uint64_t markedFrames{0};
    uint64_t ceArrivals{0};
    uint64_t cnpFrames{0};
    uint64_t pauseFrames{0};
    uint64_t resumeFrames{0};
    SimTime pausedTime{};      ///< summed over ports and priorities
    uint64_t maxQueueBytes{0}; ///< of the egress queue of a switch
    uint64_t departureEvents{0};
    uint64_t settlements{0};
};

/** The direction of a cable that was busiest. */
struct BusiestLink
{
    std::string from;
    uint16_t fromPort{0};
    std::string to;
    double utilisation{0.0};
};

/** How long flows of similar size took; finished flows of the measurement window only. */
struct FlowDistribution
{
    SizeClass sizes;
    Percentiles deliveredNs;
    Percentiles ackedNs;
    Percentiles slowdownDelivered;
    Percentiles slowdownAcked;
};

/** Everything that is worth telling of a run that has ended. */
struct RunReport
{
    SimTime end{};               ///< simulated time
    std::string partialReason{}; ///< why the results are not those of the whole run; else empty
    std::vector<FlowOutcome> outcomes{};
    std::vector<ApplicationOutcome> applications{}; ///< in the order of the scenario
    FlowTotals flows{};
    WindowTotals window{};
    NetworkTotals network{};
    BusiestLink busiest{};
    FlowDistribution allSizes{};
    std::vector<FlowDistribution> bySize{};   ///< classes that have a finished flow
    std::map<std::string, uint64_t> events{}; ///< how many of each kind events.csv has
    std::string deadlock{};            ///< the cycle that holds at the end; empty without one
    std::vector<std::string> broken{}; ///< invariants
    std::vector<std::string> notes{};
    std::vector<std::string> warnings{}; ///< of the scenario, of the fabric, and of the run itself
};

/** Share of a time that a cable direction was busy, preambles and gaps counted. */
double GetUtilisation(const FabricLink& link, SimTime end);

/**
 * Judges a run.
 *
 * @param fabric settled at the end
 * @param end    simulated time, when the last thing happened
 */
RunReport MakeReport(const Scenario& scenario,
                     Fabric& fabric,
                     const FlowRunner& runner,
                     SimTime end);

/**
 * Shortens lists of messages: of each kind the first three, then how many more there are.
 *
 * Lines are of one kind if they differ in numbers only, or in what stands before the first ": ".
 */
std::vector<std::string> AggregateLines(const std::vector<std::string>& lines);

} // namespace ns3::rdma
