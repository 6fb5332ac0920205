// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "transport/rc-policy.h"
#include "verbs/queue-pair-attributes.h"

#include "ns3/object.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** What connections of a scenario have in common. */
struct ConnectionDefaults
{
    RcPolicy policy{};
    /** But for what tells connections apart; udpSourcePort 0: each has one of its own. */
    QueuePairAttributes attributes{};
    bool hasRealPayload{false};
    uint64_t windowBytes{0}; ///< payload that may be unacknowledged; 0: no limit
};

/** The reliable connection as a scenario sets it, for all devices of the fabric. */
class TransportSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * The settings as devices and connections take them.
     *
     * @error unknown policy, an acknowledgement rule or source port that is none, real payload
     *        with an MTU above the standard's
     */
    Expected<ConnectionDefaults> GetDefaults() const;

    /** What a code of the settings means, in time, where the user has chosen one. */
    std::vector<std::string> GetNotes() const;

    /** Values that hardly anybody means. */
    std::vector<std::string> GetWarnings() const;

  private:
    enum class Payload : uint8_t
    {
        SYNTHETIC,
        REAL,
    };

    /** The attributes of timeouts, retries and what is outstanding. */
    static TypeId AddRetries(TypeId tid);

    Diagnostics ReadAckRule(RcPolicy& policy) const;
    Diagnostics ReadSourcePort(AddressVector& address) const;

    std::string m_policy;
    std::string m_ack;
    std::string m_udpSourcePort;
    uint16_t m_pathMtu{0};
    uint8_t m_timeoutCode{0};
    uint8_t m_retryCount{0};
    uint8_t m_rnrRetry{0};
    uint8_t m_minRnrTimer{0};
    uint8_t m_maxReadAtomic{0};
    bool m_hasEndToEndCredits{false};
    Payload m_payload{Payload::SYNTHETIC};
    ByteCount m_window;
};

} // namespace ns3::rdma
