// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/psn.h"
#include "tests/conformance/action.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

constexpr uint32_t CLIENT = 0;
constexpr uint32_t SERVER = 1;

/** How one side sets up its queue pairs; the defaults are the verbs tester's. */
struct SideSettings
{
    uint16_t pathMtu{1024};
    uint8_t timeout{14};
    uint8_t retryCount{7};
    uint8_t rnrRetry{7};
    uint8_t minRnrTimer{12};
    uint8_t maxReadAtomic{1};                ///< as requester and as responder
    std::optional<Psn> psn{};                ///< none: that of the capture's first request
    std::optional<uint32_t> destinationQp{}; ///< a number that the peer does not have
    uint8_t trafficClass{0};
    bool grantsMemory{true}; ///< the region may be accessed from afar
    bool grantsQp{true};     ///< the queue pair takes WRITEs, READs and atomics
};

/** What the applications of both sides do on one connection. */
using ConnectionActions = std::array<Actions, 2>;

/** Two applications and what they do. */
struct Script
{
    std::array<SideSettings, 2> sides{};
    std::vector<ConnectionActions> connections; ///< in the order of their first packets
    bool hasControl{false};   ///< the first connection only carries parameters, to and fro
    bool receivesLate{false}; ///< receives are posted some time after the connection stands
    bool knowsMemory{false};  ///< buffers hold the verbs tester's patterns at the start
};

/** The lines with which two programs were started. */
struct Commands
{
    std::string client;
    std::string server;
    uint64_t maxIterations{100'000}; ///< of programs that repeat themselves, at most
};

/**
 * What programs do, from their command lines: vt, perftest (ib_*_bw, ib_*_lat), ibv_rc_pingpong,
 * ibv_srq_pingpong, rping, ucmatose and rdma_client/rdma_server.
 *
 * A prefix ("env NAME=value ...") is skipped.
 *
 * @error a program or an option that is not known, a transport other than RC
 */
Expected<Script> ExpandCommands(const Commands& commands);

/** Messages of these sizes to and fro, each begun by the client when the one before has come back.
 */
ConnectionActions MakeExchange(const std::vector<uint64_t>& sizes);

/** The same for explicit lists of words of a single connection. @error a wrong word */
Expected<ConnectionActions> ParseActions(const std::array<std::vector<std::string>, 2>& words);

} // namespace ns3::rdma
