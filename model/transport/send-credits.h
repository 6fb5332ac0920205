// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "wire/aeth.h"
#include "wire/credit-code.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * End-to-end credits at the requester: how far the responder's receive requests reach.
 *
 * Each request has a send sequence number (SSN), the first 1; it may go while that is not above
 * the limit (LSN), which ACKs move. One request beyond may send its first packet as a probe.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.7.2 (end-to-end flow control, requester)
 * @choice before the first credit is seen the limit is 0, so that the first SEND is a probe
 */
class SendCredits
{
  public:
    explicit SendCredits(bool isLimited) : m_isLimited{isLimited} {}

    /** The SSN of the next request that is posted. */
    uint32_t TakeSsn()
    {
        const uint32_t ssn = m_nextSsn;
        m_nextSsn = (m_nextSsn + 1) & Psn::MASK;
        return ssn;
    }

    bool IsLimited() const
    {
        return m_isLimited;
    }

    /** Whether the request is not above the limit. */
    bool Covers(uint32_t ssn) const
    {
        return !m_isLimited || Psn::Distance(Psn{ssn}, Psn{m_limit}) >= 0;
    }

    /** Whether the request's first packet may go, perhaps as a probe. */
    bool MayBegin(uint32_t ssn) const
    {
        return !m_isLimited || Psn::Distance(Psn{ssn}, Psn{m_limit}) >= -1;
    }

    /** A request that takes no receive request was sent: those behind it are not to lose by it. */
    void OnFreeRequest()
    {
        m_limit = (m_limit + 1) & Psn::MASK;
    }

    /** Reads the credit of an AETH; one that is not of an ACK has none. The limit never recedes. */
    void Update(const Aeth& aeth)
    {
        if (!m_isLimited || (aeth.syndrome & SYNDROME_TYPE_MASK) != SYNDROME_TYPE_ACK)
        {
            return;
        }
        const uint8_t code = aeth.syndrome & SYNDROME_VALUE_MASK;
        if (code == SYNDROME_ACK_UNLIMITED)
        {
            m_isLimited = false;
            return;
        }
        const Psn limit{uint64_t{aeth.msn} + CREDITS_OF_CODE[code]};
        if (Psn::IsBefore(Psn{m_limit}, limit))
        {
            m_limit = limit.Get();
        }
    }

  private:
    uint32_t m_nextSsn{1};
    uint32_t m_limit{0}; ///< LSN, 24 bits
    bool m_isLimited;
};

} // namespace ns3::rdma
