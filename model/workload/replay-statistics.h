// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "workload/latency-distribution.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What the replay of one process came to. */
struct ReplayFigures
{
    uint64_t operations{0};     ///< empty polls not counted
    uint64_t bytes{0};          ///< of requests and messages posted
    SimTime compute{};          ///< of all threads together
    SimTime waiting{};          ///< for completions and messages, likewise
    std::optional<SimTime> end; ///< since the begin of the replay; nothing: it has not ended
    uint64_t otherStatus{0};    ///< completions that differ from the recorded ones
    uint64_t otherOpcode{0};
    uint64_t otherLength{0};
    uint64_t late{0}; ///< mode recorded: completions that came after their time
    uint64_t refused{
        0}; ///< posts that the device refused, and that had been taken in the recording
    uint64_t waitedForRoom{0}; ///< posts that waited for a free entry
    uint64_t leftOut{0};       ///< changes of queue pairs and failed calls that are not replayed
    std::string firstRefusal;  ///< in words

    uint64_t GetMismatches() const
    {
        return otherStatus + otherOpcode + otherLength;
    }
};

/** Times of messages of one opcode and one class of sizes: 0, 1, 2, 3 to 4, 5 to 8 bytes ... */
struct ReplayMessages
{
    uint8_t opcode{0}; ///< ibv_wr_opcode
    uint64_t leastBytes{0};
    uint64_t mostBytes{0};
    uint64_t bytes{0};
    LatencyDistribution times; ///< picoseconds from the post to the completion
};

/** Counts messages by opcode and size. */
class ReplayStatistics
{
  public:
    /** A request has completed well. */
    void AddMessage(uint8_t opcode, uint64_t bytes, SimTime took);

    /** Those that have a message, by opcode and size. */
    std::vector<const ReplayMessages*> GetMessages() const;

  private:
    static constexpr std::size_t OPCODES = 16;
    static constexpr std::size_t CLASSES = 65;

    std::array<std::array<std::unique_ptr<ReplayMessages>, CLASSES>, OPCODES> m_messages;
};

} // namespace ns3::rdma
