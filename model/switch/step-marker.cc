// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "base/live-parameters.h"
#include "switch/marker.h"

#include <array>

namespace ns3::rdma
{

/**
 * Marks every frame whose queue holds at least a threshold.
 *
 * @spec Alizadeh et al., SIGCOMM 2010, section 3.1 (simple marking at the switch)
 */
class StepMarker : public Marker, public LiveParameters
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::StepMarker")
                                .SetParent<Marker>()
                                .SetGroupName("Rdma")
                                .AddConstructor<StepMarker>()
                                .AddAttribute("Threshold",
                                              "Queue from which every frame is marked",
                                              ByteCountValue(ByteCount{100'000}),
                                              MakeByteCountAccessor(&StepMarker::m_threshold),
                                              MakeByteCountChecker(ByteCount{1}));
        return tid;
    }

    Expected<std::vector<std::string>> SetUp(const std::vector<BitRate>&) override
    {
        return std::vector<std::string>{};
    }

    uint64_t GetFloor(uint16_t) const override
    {
        return m_threshold.value;
    }

    bool ShouldMark(uint16_t, uint64_t queueBytes, RandomStream&) const override
    {
        return queueBytes >= m_threshold.value;
    }

    std::span<const std::string_view> GetLiveAttributes() const override
    {
        static constexpr std::array<std::string_view, 1> NAMES{"Threshold"};
        return NAMES;
    }

  private:
    ByteCount m_threshold;
};

NS_OBJECT_ENSURE_REGISTERED(StepMarker);

const ComponentHelp HELP{"ns3::rdma::StepMarker",
                         "Every frame is marked while its queue is at or above one threshold"};

} // namespace ns3::rdma
