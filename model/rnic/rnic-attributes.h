// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "base/traffic-class.h"
#include "rnic/notification-sender.h"

#include "ns3/type-id.h"

#include <array>
#include <string>

namespace ns3::rdma
{

/** What a scenario can say of an interface; AddRnicAttributes has the meaning of each. */
struct RnicAttributes
{
    std::string profile;
    uint8_t cnpPriority{0};
    CnpScope cnpScope{CnpScope::QUEUE_PAIR};
    SimTime cnpDelay{};
    bool sendsCnpWithNak{false};
    std::string dscp;
    bool isTagged{false};
    BitRate receiveRate{};
    ByteCount receiveBuffer{};
    ByteCount receiveXoff{};
    ByteCount receiveXon{};
    std::string weights;
    uint16_t ipMtu{0};
    ByteCount ipQueue{};
};

/** Adds them to the class that has them as a base. */
TypeId AddRnicAttributes(TypeId tid);

/** What packets of a priority carry. */
using MarkOfPriority = std::array<TrafficMark, PRIORITY_COUNT>;

/**
 * Reads the attribute dscp, such as "3:26 6:48"; a priority that is not named gets its class
 * selector, eight times itself. The PCP of a tagged frame is its priority.
 *
 * @error an entry that is none, with the key "dscp"
 */
Expected<MarkOfPriority> MakeMarks(const RnicAttributes& attributes);

} // namespace ns3::rdma
