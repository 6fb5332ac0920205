// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/live-parameters.h"
#include "switch/marker.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Marks with a probability that grows linearly from 0 at Kmin to Pmax at Kmax, and always from
 * Kmax on, by the queue of the moment (not an average).
 *
 * Thresholds hold for a reference rate and grow with the port's rate, or are absolute, or are
 * listed by rate; a rate that the list lacks takes the nearest listed one's, scaled.
 *
 * @spec Zhu et al., SIGCOMM 2015, section 3.1, figure 5 (congestion point)
 */
class RedMarker : public Marker, public LiveParameters
{
  public:
    static TypeId GetTypeId();

    Expected<std::vector<std::string>> SetUp(const std::vector<BitRate>& rates) override;
    uint64_t GetFloor(uint16_t port) const override;
    bool ShouldMark(uint16_t port, uint64_t queueBytes, RandomStream& random) const override;

    std::span<const std::string_view> GetLiveAttributes() const override;
    void OnParametersChanged() override;

  private:
    struct Thresholds
    {
        BitRate rate{};
        uint64_t minBytes{0};
        uint64_t maxBytes{0};
        double maxProbability{0.0};
    };

    Expected<std::vector<Thresholds>> ParseList() const;
    Thresholds Scaled(BitRate rate) const;
    Thresholds ForRate(const std::vector<Thresholds>& list, BitRate rate) const;

    ByteCount m_minThreshold;
    ByteCount m_maxThreshold;
    Fraction m_maxProbability;
    BitRate m_referenceRate;
    std::string m_list;
    std::vector<Thresholds> m_ports;
    std::vector<BitRate> m_rates; ///< by port
};

} // namespace ns3::rdma
