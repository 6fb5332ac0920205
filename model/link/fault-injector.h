// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "engine/random-stream.h"
#include "link/frame-ledger.h"
#include "wire/frame.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/** What a fault does to a frame. */
enum class FaultAction : uint8_t
{
    DROP,
    DUPLICATE,       ///< a copy follows at once
    DELAY,           ///< held until so many later frames of the direction have passed
    DAMAGE_ICRC,     ///< the ICRC field is wrong, the rest is right; without one, as below
    CORRUPT_PAYLOAD, ///< a bit of the payload is wrong, so that the ICRC does not fit
    MARK_CE,         ///< ECN field CE, whatever it was: what a switch does, without looking at ECT
};

/** Which frames a fault is for; an empty list matches every frame, of other stacks too. */
struct FaultMatch
{
    std::vector<Opcode> opcodes{};
    std::vector<Psn> psns{};
    std::vector<uint8_t> syndromes{}; ///< frames without an AETH do not match
    uint16_t minPayloadBytes{0};

    bool Accepts(const Frame& frame) const;
};

/** A fault that happens to chosen frames: those that which, every and chance all choose. */
struct FaultRule
{
    FaultMatch match{};
    std::vector<uint32_t> which{}; ///< of the matching frames, counted from 1; empty: all
    uint32_t every{1};             ///< each n-th of the matching frames, from 1
    double probability{1};         ///< 0 .. 1, of each of those
    FaultAction action{FaultAction::DROP};
    uint32_t delayFrames{1}; ///< DELAY only, from 1
};

/** Faults by chance: of each frame at most one, tried in this order. Each 0 .. 1, sum at most 1. */
struct FaultProbabilities
{
    double loss{0};
    double duplication{0};
    double reordering{0};
    double corruption{0};
    uint32_t maxDelayFrames{4}; ///< a reordered frame is overtaken by 1 .. this many
};

/**
 * Does to the frames of one direction of a link what a faulty network does.
 *
 * A frame goes through the rules in their order; the first that strikes decides, and the rules
 * behind it do not see (nor count) the frame. Then chance is asked. Frames go in by Put and come
 * out by Take, in the order in which they leave the injector. PFC frames are not to be given.
 *
 * A delayed frame is counted on by frames that leave, whatever else happened to them; without
 * such it stays, and GetHeld tells of it.
 */
class FaultInjector
{
  public:
    /** @param port PortConfig::id of the port at which the frames arrive */
    explicit FaultInjector(FrameLedger& ledger, uint64_t port = FrameLedger::NO_PORT)
        : m_ledger{ledger},
          m_port{port}
    {
    }

    FaultInjector(const FaultInjector&) = delete;
    FaultInjector& operator=(const FaultInjector&) = delete;

    /** Adds a rule, in force. @return its number, for SetActive */
    std::size_t AddRule(const FaultRule& rule)
    {
        m_rules.push_back({rule, 0, true});
        return m_rules.size() - 1;
    }

    /** A rule is in force or not; while it is not, it counts no frames. */
    void SetActive(std::size_t rule, bool isActive)
    {
        m_rules[rule].isActive = isActive;
    }

    /** What decides all that is left to chance; a stream of the injector's own. */
    void SetStream(RandomStream stream)
    {
        m_stream = stream;
    }

    void SetProbabilities(const FaultProbabilities& probabilities)
    {
        m_probabilities = probabilities;
    }

    /** No faults from now on; frames that are held come out behind the next one. */
    void Stop();

    /** A frame comes in; ask Take for what comes out of it. */
    void Put(Frame* frame);

    /** The next frame that leaves; null: none. */
    Frame* Take()
    {
        Frame* frame = m_out;
        if (frame != nullptr)
        {
            m_out = frame->next;
            frame->next = nullptr;
        }
        return frame;
    }

    /** Throws away the delayed frames that are inside. @return how many */
    uint64_t DropHeld(DropReason reason);

    /** Delayed frames that are still inside. */
    HeldFrames GetHeld() const;

  private:
    struct CountedRule
    {
        FaultRule rule;
        uint32_t seen; ///< matching frames so far
        bool isActive;
    };

    struct DelayedFrame
    {
        Frame* frame;
        uint32_t left; ///< frames that have yet to overtake it, from 1
    };

    struct Fault
    {
        FaultAction action;
        uint32_t delayFrames;
    };

    std::optional<Fault> Choose(const Frame& frame);
    bool Chooses(CountedRule& counted);
    std::optional<Fault> Draw();
    void Strike(Frame* frame, const Fault& fault);
    void Emit(Frame* frame);
    void Append(Frame* frame);

    FrameLedger& m_ledger;
    uint64_t m_port;
    std::vector<CountedRule> m_rules;
    std::vector<DelayedFrame> m_delayed; ///< in the order in which they came
    std::optional<FaultProbabilities> m_probabilities;
    RandomStream m_stream{0, ""};
    Frame* m_out{nullptr}; ///< linked by Frame::next
};

} // namespace ns3::rdma
