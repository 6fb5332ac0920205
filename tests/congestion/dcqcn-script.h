// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "congestion/dcqcn-controller.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

/** Microseconds with a fraction. */
constexpr SimTime
Us(double us)
{
    return SimTime{static_cast<uint64_t>(us * 1e6)};
}

/** The set "paper" is the default. */
inline DcqcnParameters
Paper()
{
    return {};
}

/** The set "mlx5" of the registered algorithm. */
inline DcqcnParameters
Mlx5()
{
    return {.alphaGain = {5, 1024},
            .initialAlpha = {1023, 1024},
            .alphaPeriod = Us(1),
            .raisesAlphaAtCnp = false,
            .reducePeriod = Us(4),
            .minDecreaseFactor = {1, 2},
            .clampsTarget = false,
            .clampsTargetAfterTimer = true,
            .increasePeriod = Us(300),
            .increaseBytes = {2'097'088},
            .fastRecoveryRounds = 1,
            .additiveIncrease = BitRate::Mbps(5),
            .hyperIncrease = BitRate::Mbps(50),
            .minRate = BitRate::Mbps(1)};
}

/** The set "hpcc-sim". */
inline DcqcnParameters
HpccSim()
{
    DcqcnParameters parameters = Mlx5();
    parameters.alphaGain = {1, 256};
    parameters.initialAlpha = {1, 1};
    parameters.minDecreaseFactor = {0, 1};
    parameters.increaseBytes = {0};
    parameters.referenceRate = BitRate::Gbps(25);
    parameters.minRate = BitRate::Gbps(1);
    return parameters;
}

/** A controller with the time of the script. */
class Script
{
  public:
    Script(const DcqcnParameters& parameters, BitRate lineRate)
        : m_parameters{parameters},
          m_controller{m_parameters, lineRate}
    {
    }

    Script(const Script&) = delete;

    Script& At(SimTime now)
    {
        m_now = now;
        m_controller.OnTimer(now);
        return *this;
    }

    Script& Cnp()
    {
        m_controller.OnCnp({.now = m_now});
        return *this;
    }

    Script& Send(uint32_t frameBytes)
    {
        m_controller.OnSent({.now = m_now, .frameBytes = frameBytes});
        return *this;
    }

    /** Lets the next timer run out. */
    Script& Timer()
    {
        return At(m_controller.NextTimer());
    }

    uint64_t Rate() const
    {
        return m_controller.GetLimits().rate.bps;
    }

    double Target() const
    {
        return m_controller.GetTargetRate();
    }

    double Alpha() const
    {
        return m_controller.GetAlpha(m_now);
    }

    SimTime NextTimer() const
    {
        return m_controller.NextTimer();
    }

  private:
    DcqcnParameters m_parameters;
    DcqcnController m_controller;
    SimTime m_now{};
};

} // namespace ns3::rdma
