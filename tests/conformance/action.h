// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/sim-time.h"
#include "verbs/send-request.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What an application does in one step, on one queue pair. */
enum class ActionKind : uint8_t
{
    POST,          ///< a send request
    DRAIN,         ///< waits until each signalled request posted so far has completed
    RECEIVE,       ///< posts receive requests
    AWAIT_RECEIVE, ///< waits until so many more receives have completed
    AWAIT_MESSAGE, ///< waits until so many more request messages of the peer have been executed
    SLEEP,
};

/** What the verbs tester registers, however long its messages are. */
constexpr uint64_t TESTER_REGION_BYTES = 1 << 20;

/** One step of an application. */
struct Action
{
    ActionKind kind{ActionKind::POST};
    SendOpcode opcode{SendOpcode::RDMA_WRITE}; ///< of a POST, as the following
    uint64_t length{0};                        ///< bytes; of RECEIVE those of each request
    uint64_t compareAdd{0};
    uint64_t swap{0};
    int64_t offset{0};        ///< from the start of the remote region
    uint32_t region{0};       ///< which of the peer's regions
    uint8_t flags{0};         ///< SendFlag bits; SEND_SIGNALED stands for itself
    bool hasBadKey{false};    ///< a key that the peer does not have
    bool isOutOfRange{false}; ///< begins inside the tester's region and ends behind it
    bool waits{false};        ///< goes on when the request has completed
    uint64_t count{1};        ///< of RECEIVE and the two AWAITs
    SimTime duration{};       ///< of SLEEP
    std::string word{};       ///< as it was written

    bool operator==(const Action&) const = default;
};

using Actions = std::vector<Action>;

/**
 * An action from a word, as the verbs tester of the captures takes it and somewhat more.
 *
 *     W:4096  R:4096  S:4096     WRITE, READ, SEND of so many bytes
 *     FA:5  CS:5:7               fetch and add 5; compare with 5 and swap in 7
 *     WI SI                      with immediate data      SV    SEND with invalidate
 *     ..E ..F                    solicited event; fence (SE, WF, RF, SIE)
 *     ..B ..O                    bad R_Key; beyond the end of the region (WB, RB, WO)
 *     W:4096:64  FA:1:8          at this offset of the region
 *     W:4096@2                   in the peer's second region
 *     &W:10                      does not wait for the completion; +W:10: unsignalled, no wait
 *     drain                      waits for all completions
 *     receive:16x65536           posts 16 receive requests of 65536 bytes
 *     received:1  executed:1     waits for one more receive completion, one more message
 *     sleep:300                  milliseconds
 *
 * @error a word that is none of these
 */
Expected<Action> ParseAction(const std::string& word);

/** All words of a text, separated by blanks; quotes around a word are taken off. */
std::vector<std::string> SplitWords(const std::string& text);

} // namespace ns3::rdma
