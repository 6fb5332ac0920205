// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/quantity.h"
#include "congestion/congestion-controller.h"

#include <cstdint>

namespace ns3::rdma
{

/** Parameters of DCQCN's reaction point; the defaults are the set "paper". */
struct DcqcnParameters
{
    Fraction alphaGain{1, 256}; ///< g, weight of the newest observation in alpha
    Fraction initialAlpha{1, 1};
    SimTime alphaPeriod{SimTime::Microseconds(55)}; ///< K, of alpha's timer; not zero
    /** Alpha rises at each CNP and its timer restarts; else once a period that had a CNP. */
    bool raisesAlphaAtCnp{true};

    /** A cut waits for the next multiple of this time since the first CNP; zero: at the CNP. */
    SimTime reducePeriod{};
    Fraction minDecreaseFactor{0, 1};  ///< a cut leaves at least this share of the rate
    BitRate firstCnpRate{};            ///< current and target rate at the first CNP; 0: unchanged
    Fraction firstCnpFactor{1, 1};     ///< what is left of both rates at the first CNP
    bool clampsTarget{true};           ///< each cut sets the target to the rate before it
    bool clampsTargetAfterTimer{true}; ///< it does so if the timer raised the rate since the last

    SimTime increasePeriod{SimTime::Microseconds(55)}; ///< T, of the rate increase timer; not zero
    ByteCount increaseBytes{10'000'000};         ///< B, of the byte counter; 0: no byte counter
    uint32_t fastRecoveryRounds{5};              ///< F
    BitRate additiveIncrease{BitRate::Mbps(40)}; ///< R_AI
    BitRate hyperIncrease{BitRate::Mbps(400)};   ///< R_HAI
    BitRate referenceRate{}; ///< line rate for which the two increases hold; 0: for any
    BitRate minRate{BitRate::Mbps(40)};
    BitRate maxRate{}; ///< 0: line rate
};

/**
 * The reaction point of DCQCN for one connection: a rate that CNPs cut and time and bytes raise.
 *
 * A CNP cuts the current rate RC by alpha / 2 and (by the clamp rule) makes the rate before the
 * cut the target RT. Then each period of the timer and of the byte counter is a round: RC moves
 * half way to RT. After F rounds of either, RT itself rises: by R_AI, or by R_HAI when both have
 * passed F. A cut starts the count again. Without CNPs alpha decays.
 *
 * Alpha is read only at a cut, so its timer has no events: the periods that have passed are
 * applied at once, by repeated squaring. The increase timer stops when the rate has settled at
 * its maximum, where a round changes nothing; the byte counter with it.
 *
 * @spec Zhu et al., SIGCOMM 2015, section 3.1, equations 1 to 4 and Figure 7
 * @choice rounds are compared with F before they are counted: F rounds of fast recovery, as in the
 * paper's fluid model, where R_AI acts from round F + 1 on
 * @choice at one instant a cut comes before a round, and alpha's period before a CNP
 * @choice the byte counter counts frames (address to FCS), which is what the rate limits
 * @choice a rate less than 1 b/s below its maximum is at its maximum
 *
 * Not modelled: reaction to loss; hyper increase that grows with the round.
 */
class DcqcnController : public CongestionController
{
  public:
    /**
     * @param parameters  outlive the controller
     * @param lineRate    of the port; also the rate at the start
     */
    DcqcnController(const DcqcnParameters& parameters, BitRate lineRate);

    SendLimits GetLimits() const override;

    void OnSent(const SentEvent& event) override;

    void OnAck(const AckEvent&) override {}

    void OnCnp(const CnpEvent& event) override;

    void OnLoss(const LossEvent&) override {}

    SimTime NextTimer() const override
    {
        return m_reduceDeadline < m_increaseDeadline ? m_reduceDeadline : m_increaseDeadline;
    }

    void OnTimer(SimTime now) override;
    void OnParametersChanged(BitRate lineRate) override;

    void Describe(SimTime now, StateSink& sink) const override;

    /** Alpha as it stands at a time, not before the last event; initialAlpha before any CNP. */
    double GetAlpha(SimTime now) const;

    /** The rate that recovery heads for, in b/s. */
    double GetTargetRate() const
    {
        return m_targetRate;
    }

  private:
    /** Sets alpha and the rates at the first CNP. */
    void OnFirstCnp(SimTime now);

    /** Applies the alpha periods that ended up to now. */
    void AdvanceAlpha(SimTime now);

    void Cut(SimTime now);

    /** One round of recovery, by timer or byte counter. */
    void Increase();

    bool HasSettled() const
    {
        return m_increaseDeadline.IsNever();
    }

    double Clamp(double rate) const;

    const DcqcnParameters* m_parameters;
    double m_rate;       ///< RC, b/s
    double m_targetRate; ///< RT, b/s
    double m_minRate;
    double m_maxRate;
    double m_additiveIncrease;
    double m_hyperIncrease;
    double m_alpha;
    double m_decay;                             ///< 1 - g
    SimTime m_alphaTime{};                      ///< end of the last alpha period applied
    SimTime m_reduceBase{};                     ///< first CNP
    SimTime m_reduceDeadline{SimTime::Never()}; ///< of the cut that a CNP asked for
    SimTime m_increaseDeadline{SimTime::Never()};
    int64_t m_bytesLeft{0}; ///< of the byte counter's period
    uint32_t m_timerRounds{0};
    uint32_t m_byteRounds{0};
    bool m_hasSeenCnp{false};
    bool m_hasCnpInPeriod{false}; ///< alpha's period
};

static_assert(sizeof(DcqcnController) <= 160, "one for each of many connections");

} // namespace ns3::rdma
