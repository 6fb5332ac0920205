// SPDX-License-Identifier: GPL-2.0-only
#include "congestion/dcqcn-controller.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

/** base^exponent by repeated squaring: the same bits on every machine. */
double
Power(double base, uint64_t exponent)
{
    double result = 1.0;
    for (; exponent != 0; exponent >>= 1)
    {
        if (exponent & 1)
        {
            result *= base;
        }
        base *= base;
    }
    return result;
}

} // namespace

DcqcnController::DcqcnController(const DcqcnParameters& parameters, BitRate lineRate)
    : m_parameters{&parameters},
      m_alpha{parameters.initialAlpha.ToDouble()},
      m_decay{1.0 - parameters.alphaGain.ToDouble()}
{
    const BitRate limit = parameters.maxRate.bps == 0 ? lineRate : parameters.maxRate;
    m_maxRate = static_cast<double>(std::min(limit, lineRate).bps);
    m_rate = m_maxRate;
    m_targetRate = m_maxRate;
    DcqcnController::OnParametersChanged(lineRate);
}

void
DcqcnController::OnParametersChanged(BitRate lineRate)
{
    const DcqcnParameters& parameters = *m_parameters;
    m_minRate = std::min(static_cast<double>(parameters.minRate.bps), m_maxRate);
    const double scale =
        parameters.referenceRate.bps == 0
            ? 1.0
            : static_cast<double>(lineRate.bps) / static_cast<double>(parameters.referenceRate.bps);
    m_additiveIncrease = static_cast<double>(parameters.additiveIncrease.bps) * scale;
    m_hyperIncrease = static_cast<double>(parameters.hyperIncrease.bps) * scale;
}

SendLimits
DcqcnController::GetLimits() const
{
    return {.rate = BitRate{static_cast<uint64_t>(m_rate + 0.5)}};
}

void
DcqcnController::OnSent(const SentEvent& event)
{
    const ByteCount period = m_parameters->increaseBytes;
    if (HasSettled() || period.value == 0)
    {
        return;
    }
    m_bytesLeft -= event.frameBytes;
    while (m_bytesLeft <= 0)
    {
        Increase();
        ++m_byteRounds;
        m_bytesLeft += static_cast<int64_t>(period.value);
    }
}

void
DcqcnController::OnCnp(const CnpEvent& event)
{
    const bool isFirst = !m_hasSeenCnp;
    if (isFirst)
    {
        OnFirstCnp(event.now);
    }
    AdvanceAlpha(event.now);
    const SimTime period = m_parameters->reducePeriod;
    if (period.ps == 0)
    {
        // The cut uses alpha as it was before this CNP (equation 1).
        Cut(event.now);
    }
    else if (m_reduceDeadline.IsNever())
    {
        const uint64_t periods = (event.now - m_reduceBase).ps / period.ps;
        m_reduceDeadline = m_reduceBase + period * (periods + 1);
    }
    if (m_parameters->raisesAlphaAtCnp)
    {
        m_alpha = m_decay * m_alpha + (1.0 - m_decay);
        m_alphaTime = event.now;
    }
    else
    {
        // The first CNP has set alpha; it does not count for the period that it starts.
        m_hasCnpInPeriod = !isFirst;
    }
}

void
DcqcnController::OnFirstCnp(SimTime now)
{
    m_hasSeenCnp = true;
    m_alphaTime = now;
    m_reduceBase = now;
    const double factor = m_parameters->firstCnpFactor.ToDouble();
    const BitRate firstRate = m_parameters->firstCnpRate;
    if (firstRate.bps != 0)
    {
        m_rate = Clamp(static_cast<double>(firstRate.bps));
        m_targetRate = m_rate;
    }
    else if (factor < 1.0)
    {
        m_rate = Clamp(m_rate * factor);
        m_targetRate = m_rate;
    }
}

void
DcqcnController::AdvanceAlpha(SimTime now)
{
    const SimTime period = m_parameters->alphaPeriod;
    if (now < m_alphaTime + period)
    {
        return;
    }
    m_alpha = GetAlpha(now);
    m_alphaTime += period * ((now - m_alphaTime).ps / period.ps);
    m_hasCnpInPeriod = false;
}

void
DcqcnController::Describe(SimTime now, StateSink& sink) const
{
    sink.Put("alpha", GetAlpha(now));
    sink.Put("target_rate_bps", m_targetRate);
}

double
DcqcnController::GetAlpha(SimTime now) const
{
    if (!m_hasSeenCnp || now < m_alphaTime + m_parameters->alphaPeriod)
    {
        return m_alpha;
    }
    const uint64_t periods = (now - m_alphaTime).ps / m_parameters->alphaPeriod.ps;
    const double observation = m_hasCnpInPeriod ? 1.0 - m_decay : 0.0;
    return (m_decay * m_alpha + observation) * Power(m_decay, periods - 1);
}

void
DcqcnController::Cut(SimTime now)
{
    AdvanceAlpha(now);
    const bool clamps = m_parameters->clampsTarget || m_byteRounds != 0 ||
                        (m_parameters->clampsTargetAfterTimer && m_timerRounds != 0);
    if (clamps)
    {
        m_targetRate = m_rate;
    }
    const double factor = std::max(1.0 - m_alpha / 2.0, m_parameters->minDecreaseFactor.ToDouble());
    m_rate = Clamp(m_rate * factor);
    m_timerRounds = 0;
    m_byteRounds = 0;
    m_bytesLeft = static_cast<int64_t>(m_parameters->increaseBytes.value);
    m_increaseDeadline = now + m_parameters->increasePeriod;
}

void
DcqcnController::Increase()
{
    const bool hasByteCounter = m_parameters->increaseBytes.value != 0;
    const uint32_t byteRounds = hasByteCounter ? m_byteRounds : m_timerRounds;
    const uint32_t fastRounds = m_parameters->fastRecoveryRounds;
    if (std::max(m_timerRounds, byteRounds) >= fastRounds)
    {
        const bool isHyper = std::min(m_timerRounds, byteRounds) > fastRounds;
        m_targetRate = Clamp(m_targetRate + (isHyper ? m_hyperIncrease : m_additiveIncrease));
    }
    m_rate = (m_rate + m_targetRate) / 2.0;
    const bool isTargetFinal =
        m_targetRate == m_maxRate || std::max(m_additiveIncrease, m_hyperIncrease) == 0.0;
    if (isTargetFinal && m_targetRate - m_rate < 1.0)
    {
        m_rate = m_targetRate;
        m_increaseDeadline = SimTime::Never();
    }
}

void
DcqcnController::OnTimer(SimTime now)
{
    for (SimTime due = NextTimer(); due <= now && !due.IsNever(); due = NextTimer())
    {
        if (due == m_reduceDeadline)
        {
            m_reduceDeadline = SimTime::Never();
            Cut(due);
            continue;
        }
        m_increaseDeadline = due + m_parameters->increasePeriod;
        Increase();
        ++m_timerRounds;
    }
}

double
DcqcnController::Clamp(double rate) const
{
    return std::clamp(rate, m_minRate, m_maxRate);
}

} // namespace ns3::rdma
