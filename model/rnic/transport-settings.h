// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "transport/rc-config.h"

#include "ns3/object.h"

#include <string>

namespace ns3::rdma
{

/** The reliable connection as a scenario sets it, for all devices of the fabric. */
class TransportSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /** The settings as connections take them. @error an acknowledgement policy that is none */
    Expected<RcConfig> GetConfig() const;

    /** Payload that a connection may have unacknowledged; 0: no limit. */
    ByteCount GetWindow() const
    {
        return m_window;
    }

  private:
    uint32_t m_pathMtu{0};
    std::string m_ack;
    uint8_t m_timeoutCode{0};
    uint8_t m_retryCount{0};
    ByteCount m_window;
};

} // namespace ns3::rdma
