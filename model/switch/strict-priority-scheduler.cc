// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "link/egress-scheduler.h"

#include <bit>

namespace ns3::rdma
{

/**
 * The highest waiting priority goes first; a busy one starves all below it.
 *
 * @spec IEEE 802.1Q-2018 clause 8.6.8.1 (strict priority)
 */
class StrictPriorityScheduler : public EgressScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::StrictPriorityScheduler")
                                .SetParent<EgressScheduler>()
                                .SetGroupName("Rdma")
                                .AddConstructor<StrictPriorityScheduler>();
        return tid;
    }

  private:
    uint8_t DoSelect(PriorityMask eligible, const EgressQueues&) override
    {
        return static_cast<uint8_t>(std::bit_width(eligible) - 1);
    }
};

NS_OBJECT_ENSURE_REGISTERED(StrictPriorityScheduler);

const ComponentHelp HELP{"ns3::rdma::StrictPriorityScheduler",
                         "The highest waiting priority first"};

} // namespace ns3::rdma
