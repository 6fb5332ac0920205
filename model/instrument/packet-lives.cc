// SPDX-License-Identifier: GPL-2.0-only
#include "instrument/packet-lives.h"

namespace ns3::rdma
{

uint64_t
PacketLives::Add(const Frame& frame)
{
    const uint64_t number = m_next++;
    m_lives[number] = {.flow = frame.flow, .psn = frame.psn, .opcode = frame.opcode};
    m_numbers[&frame] = number;
    return number;
}

void
PacketLives::OnBirth(const Frame& frame, const LifeHop& hop)
{
    const uint64_t number = Add(frame);
    Attempts& attempts = m_attempts[KeyOf(frame)];
    attempts = {attempts.count + 1, number};
    m_lives[number].attempt = attempts.count;
    m_lives[number].hops.push_back(hop);
}

PacketLife*
PacketLives::Find(const Frame& frame, bool isEndedToo)
{
    const auto number = m_numbers.find(&frame);
    const auto life = number == m_numbers.end() ? m_lives.end() : m_lives.find(number->second);
    // Another packet may have the address of one that has ended.
    const bool isIt = life != m_lives.end() && life->second.flow == frame.flow &&
                      life->second.psn == frame.psn && life->second.opcode == frame.opcode &&
                      (isEndedToo || !life->second.hasEnded);
    return isIt ? &life->second : nullptr;
}

/** A frame that nobody has seen leave its sender is a copy of the newest attempt. */
PacketLife&
PacketLives::Adopt(const Frame& frame)
{
    if (PacketLife* life = Find(frame, false))
    {
        return *life;
    }
    const Attempts attempts = m_attempts[KeyOf(frame)];
    const auto original = m_lives.find(attempts.newest);
    PacketLife& copy = m_lives[Add(frame)];
    copy.attempt = attempts.count;
    if (original != m_lives.end() && !original->second.hops.empty())
    {
        // The original comes out of the fault first: it has been at this hop already.
        const PacketLife& first = original->second;
        copy.firstHop = first.firstHop + static_cast<uint32_t>(first.hops.size()) - 1;
    }
    return copy;
}

void
PacketLives::OnArrival(const Frame& frame, const LifeHop& hop, SimTime departure)
{
    PacketLife& life = Adopt(frame);
    if (!life.hops.empty())
    {
        life.hops.back().departure = departure;
    }
    life.hops.push_back(hop);
}

LifeHop*
PacketLives::FindHop(const Frame& frame)
{
    PacketLife* life = Find(frame, false);
    return life == nullptr || life->hops.empty() ? nullptr : &life->hops.back();
}

void
PacketLives::OnEnd(const Frame& frame)
{
    PacketLife* life = Find(frame, false);
    if (life == nullptr)
    {
        return;
    }
    life->hasEnded = true;
    m_ended.push_back(m_numbers[&frame]);
    if (m_ended.size() < 2 * KEPT)
    {
        return;
    }
    for (std::size_t i = 0; i < KEPT; ++i)
    {
        m_writer(m_lives.at(m_ended[i]));
        m_lives.erase(m_ended[i]);
    }
    m_ended.erase(m_ended.begin(), m_ended.begin() + KEPT);
}

void
PacketLives::OnDrop(const Frame& frame, const LifeHop& hop, SimTime departure)
{
    PacketLife* life = Find(frame, true);
    const bool isHere = life != nullptr && (life->hasEnded || life->hops.back().place == hop.place);
    if (isHere)
    {
        life->hops.back().dropReason = hop.dropReason;
        OnEnd(frame);
        return;
    }
    OnArrival(frame, hop, departure);
    OnEnd(frame);
}

void
PacketLives::Finish()
{
    for (const uint64_t number : m_ended)
    {
        m_writer(m_lives.at(number));
        m_lives.erase(number);
    }
    m_ended.clear();
    for (const auto& [number, life] : m_lives)
    {
        m_writer(life);
    }
    m_lives.clear();
}

} // namespace ns3::rdma
