// SPDX-License-Identifier: GPL-2.0-only
#include "link/fault-injector.h"

namespace ns3::rdma
{

namespace
{

template <class T>
bool
IsListed(const std::vector<T>& list, const T& value)
{
    return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

void
FlipPayloadBit(Frame& frame)
{
    if (PayloadBlock* block = frame.GetPayload(); block != nullptr && frame.payloadBytes > 0)
    {
        block->bytes[frame.payloadBytes / 2] ^= std::byte{1};
    }
}

} // namespace

bool
FaultMatch::Accepts(const Frame& frame) const
{
    if (frame.kind != FrameKind::ROCE)
    {
        return opcodes.empty() && psns.empty() && syndromes.empty() &&
               frame.payloadBytes >= minPayloadBytes;
    }
    const bool hasAeth = GetOpcodeInfo(frame.opcode).Has(HEADER_AETH);
    if (!syndromes.empty() && !(hasAeth && IsListed(syndromes, frame.GetAeth().syndrome)))
    {
        return false;
    }
    return IsListed(opcodes, frame.opcode) && IsListed(psns, frame.psn) &&
           frame.payloadBytes >= minPayloadBytes;
}

void
FaultInjector::Stop()
{
    m_rules.clear();
    m_probabilities.reset();
    for (DelayedFrame& delayed : m_delayed)
    {
        delayed.left = 1;
    }
}

void
FaultInjector::Put(Frame* frame)
{
    if (const std::optional<Fault> fault = Choose(*frame))
    {
        Strike(frame, *fault);
        return;
    }
    Emit(frame);
}

std::optional<FaultInjector::Fault>
FaultInjector::Choose(const Frame& frame)
{
    for (CountedRule& counted : m_rules)
    {
        const FaultRule& rule = counted.rule;
        if (counted.isActive && rule.match.Accepts(frame) && Chooses(counted))
        {
            return Fault{rule.action, rule.delayFrames};
        }
    }
    return m_probabilities ? Draw() : std::nullopt;
}

bool
FaultInjector::Chooses(CountedRule& counted)
{
    const FaultRule& rule = counted.rule;
    ++counted.seen;
    return IsListed(rule.which, counted.seen) && counted.seen % rule.every == 0 &&
           (rule.probability >= 1 || m_stream.NextUniform() < rule.probability);
}

std::optional<FaultInjector::Fault>
FaultInjector::Draw()
{
    const FaultProbabilities& p = *m_probabilities;
    double at = m_stream.NextUniform();
    const auto falls = [&at](double share)
    {
        const bool isHit = at < share;
        at -= share;
        return isHit;
    };
    if (falls(p.loss))
    {
        return Fault{FaultAction::DROP, 0};
    }
    if (falls(p.duplication))
    {
        return Fault{FaultAction::DUPLICATE, 0};
    }
    if (falls(p.reordering))
    {
        return Fault{FaultAction::DELAY,
                     1 + static_cast<uint32_t>(m_stream.NextBelow(p.maxDelayFrames))};
    }
    if (falls(p.corruption))
    {
        return Fault{FaultAction::CORRUPT_PAYLOAD, 0};
    }
    return std::nullopt;
}

void
FaultInjector::Strike(Frame* frame, const Fault& fault)
{
    switch (fault.action)
    {
    case FaultAction::DROP:
        m_ledger.Drop(frame, DropReason::INJECTED_FAULT, m_port);
        return;
    case FaultAction::DELAY:
        m_delayed.push_back({frame, fault.delayFrames});
        return;
    case FaultAction::DUPLICATE:
    {
        Frame* copy = m_ledger.Clone(*frame);
        if (copy->ecn == Ecn::CE)
        {
            m_ledger.CountFaultMark();
        }
        Emit(frame);
        Emit(copy);
        return;
    }
    case FaultAction::CORRUPT_PAYLOAD:
        FlipPayloadBit(*frame);
        frame->isDamaged = true;
        break;
    case FaultAction::DAMAGE_ICRC:
        if (frame->kind != FrameKind::ROCE)
        {
            FlipPayloadBit(*frame); // What its own checksums have to find.
        }
        frame->isDamaged = true;
        break;
    case FaultAction::MARK_CE:
        if (frame->ecn != Ecn::CE)
        {
            frame->ecn = Ecn::CE;
            m_ledger.CountFaultMark();
        }
        break;
    }
    Emit(frame);
}

void
FaultInjector::Emit(Frame* frame)
{
    Append(frame);
    auto kept = m_delayed.begin();
    for (DelayedFrame& delayed : m_delayed)
    {
        if (--delayed.left == 0)
        {
            Append(delayed.frame);
        }
        else
        {
            *kept++ = delayed;
        }
    }
    m_delayed.erase(kept, m_delayed.end());
}

void
FaultInjector::Append(Frame* frame)
{
    Frame** tail = &m_out;
    while (*tail != nullptr)
    {
        tail = &(*tail)->next;
    }
    frame->next = nullptr;
    *tail = frame;
}

uint64_t
FaultInjector::DropHeld(DropReason reason)
{
    const uint64_t frames = m_delayed.size();
    for (const DelayedFrame& delayed : m_delayed)
    {
        m_ledger.Drop(delayed.frame, reason, m_port);
    }
    m_delayed.clear();
    return frames;
}

HeldFrames
FaultInjector::GetHeld() const
{
    HeldFrames held;
    for (const DelayedFrame& delayed : m_delayed)
    {
        held.all.Add(*delayed.frame);
        held.marked += delayed.frame->ecn == Ecn::CE ? 1 : 0;
    }
    return held;
}

} // namespace ns3::rdma
