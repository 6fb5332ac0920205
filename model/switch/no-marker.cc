// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "switch/marker.h"

namespace ns3::rdma
{

/** Marks nothing. */
class NoMarker : public Marker
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::NoMarker")
                                .SetParent<Marker>()
                                .SetGroupName("Rdma")
                                .AddConstructor<NoMarker>();
        return tid;
    }

    Expected<std::vector<std::string>> SetUp(const std::vector<BitRate>&) override
    {
        return std::vector<std::string>{};
    }

    uint64_t GetFloor(uint16_t) const override
    {
        return UINT64_MAX;
    }

    bool ShouldMark(uint16_t, uint64_t, RandomStream&) const override
    {
        return false;
    }
};

NS_OBJECT_ENSURE_REGISTERED(NoMarker);

const ComponentHelp HELP{"ns3::rdma::NoMarker", "No frame is ever marked"};

} // namespace ns3::rdma
