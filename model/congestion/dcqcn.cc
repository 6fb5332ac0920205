// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "base/live-parameters.h"
#include "congestion/congestion-control.h"
#include "congestion/dcqcn-controller.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <array>

namespace ns3::rdma
{
namespace
{

using Entry = ParameterSet::Entry;

/**
 * The parameters of the paper's table (Figure 14) and text.
 *
 * @choice hyper increase: ten times the additive one, as the defaults of IEEE 802.1Q-2018 (QCN)
 * and of mlx5 have it; the paper gives no value
 * @choice minimum rate: one additive increase; the paper gives no value
 */
constexpr std::array<Entry, 19> PAPER{{
    {"AlphaGain", "1/256"},       {"InitialAlpha", "1"},
    {"AlphaPeriod", "55us"},      {"RaiseAlphaAtCnp", "true"},
    {"ReducePeriod", "0us"},      {"MinDecreaseFactor", "0"},
    {"FirstCnpRate", "0bps"},     {"FirstCnpFactor", "1"},
    {"ClampTarget", "true"},      {"ClampTargetAfterTimer", "true"},
    {"IncreasePeriod", "55us"},   {"IncreaseBytes", "10MB"},
    {"FastRecoveryRounds", "5"},  {"AdditiveIncrease", "40Mbps"},
    {"HyperIncrease", "400Mbps"}, {"ReferenceRate", "0bps"},
    {"MinRate", "40Mbps"},        {"MaxRate", "0bps"},
    {"CnpInterval", "50us"},
}};

/**
 * Firmware defaults of ConnectX-4 and later, from registers to physical values:
 * DCE_TCP_G 1019 is what alpha keeps, of 1024: gain 5/1024. INITIAL_ALPHA_VALUE 1023 of 1024.
 * RPG_GD 11 is a logarithm in alpha's 10-bit fixed point: alpha / 2^11 x 2^10 = alpha / 2.
 * RPG_BYTE_RESET 32767: @choice units of 64 B, which the vendor's text does not settle; that is
 * 2.1 MB, and the 2 MB which a traffic tester takes for the same parameter agree.
 * RPG_MAX_RATE 0 and RATE_TO_SET_ON_FIRST_CNP 0 mean line rate and unchanged.
 */
constexpr std::array<Entry, 19> MLX5{{
    {"AlphaGain", "5/1024"},     {"InitialAlpha", "1023/1024"},
    {"AlphaPeriod", "1us"},      {"RaiseAlphaAtCnp", "false"},
    {"ReducePeriod", "4us"},     {"MinDecreaseFactor", "50%"},
    {"FirstCnpRate", "0bps"},    {"FirstCnpFactor", "1"},
    {"ClampTarget", "false"},    {"ClampTargetAfterTimer", "true"},
    {"IncreasePeriod", "300us"}, {"IncreaseBytes", "2097088B"},
    {"FastRecoveryRounds", "1"}, {"AdditiveIncrease", "5Mbps"},
    {"HyperIncrease", "50Mbps"}, {"ReferenceRate", "0bps"},
    {"MinRate", "1Mbps"},        {"MaxRate", "0bps"},
    {"CnpInterval", "4us"},
}};

/**
 * What the HPCC authors ran: their start script's values for DCQCN. Its configuration keys:
 *
 *     ALPHA_RESUME_INTERVAL us   AlphaPeriod      FAST_RECOVERY_TIMES  FastRecoveryRounds
 *     RATE_DECREASE_INTERVAL us  ReducePeriod     RATE_AI              AdditiveIncrease
 *     RP_TIMER us                IncreasePeriod   RATE_HAI             HyperIncrease
 *     EWMA_GAIN                  AlphaGain        MIN_RATE             MinRate
 *     CLAMP_TARGET_RATE          ClampTarget
 *
 * The script computes RATE_AI and RATE_HAI from the hosts' speed, 5 and 50 Mb/s per 25 Gb/s
 * (ReferenceRate; 0 with values out of a configuration file); nothing else scales. That
 * simulator has no byte counter, clamps the target after a round of the timer whatever the key
 * says, and sends the congestion mark back in each acknowledgement (CnpInterval 0).
 */
constexpr std::array<Entry, 19> HPCC_SIM{{
    {"AlphaGain", "1/256"},      {"InitialAlpha", "1"},
    {"AlphaPeriod", "1us"},      {"RaiseAlphaAtCnp", "false"},
    {"ReducePeriod", "4us"},     {"MinDecreaseFactor", "0"},
    {"FirstCnpRate", "0bps"},    {"FirstCnpFactor", "1"},
    {"ClampTarget", "false"},    {"ClampTargetAfterTimer", "true"},
    {"IncreasePeriod", "300us"}, {"IncreaseBytes", "0B"},
    {"FastRecoveryRounds", "1"}, {"AdditiveIncrease", "5Mbps"},
    {"HyperIncrease", "50Mbps"}, {"ReferenceRate", "25Gbps"},
    {"MinRate", "1Gbps"},        {"MaxRate", "0bps"},
    {"CnpInterval", "0us"},
}};

constexpr std::array<ParameterSet, 3> SETS{{
    {"paper", "Zhu et al., SIGCOMM 2015, Figure 14 and section 5", PAPER},
    {"mlx5",
     "NVIDIA, DCQCN CC Parameters (DOCA documentation); mlxconfig defaults of ConnectX-5",
     MLX5},
    {"hpcc-sim",
     "alibaba-edu/High-Precision-Congestion-Control, simulation/run.py (--cc dcqcn), rdma-hw.cc",
     HPCC_SIM},
}};

/** DCQCN; its attributes are the parameters of each connection's controller. */
class Dcqcn : public CongestionControl, public DcqcnParameters, public LiveParameters
{
  public:
    static TypeId GetTypeId();

    std::unique_ptr<CongestionController> NewController(BitRate lineRate, SimTime) const override
    {
        return std::make_unique<DcqcnController>(*this, lineRate);
    }

    Feedback GetFeedback() const override
    {
        return Feedback::ECN;
    }

    SimTime GetCnpInterval() const override
    {
        return m_cnpInterval;
    }

    std::span<const ParameterSet> GetParameterSets() const override
    {
        return SETS;
    }

    /** Those that are asked for when they are needed; a rate below a new minimum stays. */
    std::span<const std::string_view> GetLiveAttributes() const override
    {
        static constexpr std::array<std::string_view, 6> NAMES{"AdditiveIncrease",
                                                               "HyperIncrease",
                                                               "MinRate",
                                                               "IncreasePeriod",
                                                               "FastRecoveryRounds",
                                                               "CnpInterval"};
        return NAMES;
    }

  private:
    /** A parameter as a member of this class, which is what ns-3's accessors need. */
    template <typename T>
    static constexpr T Dcqcn::*Member(T DcqcnParameters::*parameter)
    {
        return parameter;
    }

    static void AddAlphaAttributes(TypeId& tid);
    static void AddDecreaseAttributes(TypeId& tid);
    static void AddIncreaseAttributes(TypeId& tid);

    SimTime m_cnpInterval;
};

NS_OBJECT_ENSURE_REGISTERED(Dcqcn);

const ComponentHelp HELP{
    "ns3::rdma::Dcqcn",
    "Rate control by congestion notification packets (Zhu et al., SIGCOMM 2015)"};

TypeId
Dcqcn::GetTypeId()
{
    static TypeId tid = []
    {
        TypeId made = TypeId("ns3::rdma::Dcqcn")
                          .SetParent<CongestionControl>()
                          .SetGroupName("Rdma")
                          .AddConstructor<Dcqcn>();
        AddAlphaAttributes(made);
        AddDecreaseAttributes(made);
        AddIncreaseAttributes(made);
        made.AddAttribute("CnpInterval",
                          "Shortest time between two CNPs for one connection; 0us: each marked "
                          "packet draws one",
                          SimTimeValue(SimTime::Microseconds(50)),
                          MakeSimTimeAccessor(&Dcqcn::m_cnpInterval),
                          MakeSimTimeChecker());
        return made;
    }();
    return tid;
}

void
Dcqcn::AddAlphaAttributes(TypeId& tid)
{
    const DcqcnParameters paper;
    tid.AddAttribute("AlphaGain",
                     "g: weight of the newest observation in alpha",
                     FractionValue(paper.alphaGain),
                     MakeFractionAccessor(Member(&DcqcnParameters::alphaGain)),
                     MakeFractionChecker())
        .AddAttribute("InitialAlpha",
                      "Alpha at the first CNP",
                      FractionValue(paper.initialAlpha),
                      MakeFractionAccessor(Member(&DcqcnParameters::initialAlpha)),
                      MakeFractionChecker())
        .AddAttribute("AlphaPeriod",
                      "Alpha decays once in this time without CNP",
                      SimTimeValue(paper.alphaPeriod),
                      MakeSimTimeAccessor(Member(&DcqcnParameters::alphaPeriod)),
                      MakeSimTimeChecker(SimTime::Nanoseconds(1)))
        .AddAttribute("RaiseAlphaAtCnp",
                      "Alpha rises at each CNP, and its period restarts; false: at the end of each "
                      "period that had a CNP",
                      BooleanValue(paper.raisesAlphaAtCnp),
                      MakeBooleanAccessor(Member(&DcqcnParameters::raisesAlphaAtCnp)),
                      MakeBooleanChecker());
}

void
Dcqcn::AddDecreaseAttributes(TypeId& tid)
{
    const DcqcnParameters paper;
    tid.AddAttribute("ReducePeriod",
                     "Cuts happen at multiples of this time since the first CNP; 0us: at each CNP",
                     SimTimeValue(paper.reducePeriod),
                     MakeSimTimeAccessor(Member(&DcqcnParameters::reducePeriod)),
                     MakeSimTimeChecker())
        .AddAttribute("MinDecreaseFactor",
                      "Share of the rate that one cut leaves at least",
                      FractionValue(paper.minDecreaseFactor),
                      MakeFractionAccessor(Member(&DcqcnParameters::minDecreaseFactor)),
                      MakeFractionChecker())
        .AddAttribute("FirstCnpRate",
                      "Current and target rate at the first CNP, before the cut; 0bps: unchanged",
                      BitRateValue(paper.firstCnpRate),
                      MakeBitRateAccessor(Member(&DcqcnParameters::firstCnpRate)),
                      MakeBitRateChecker())
        .AddAttribute("FirstCnpFactor",
                      "Share of both rates left at the first CNP, without FirstCnpRate",
                      FractionValue(paper.firstCnpFactor),
                      MakeFractionAccessor(Member(&DcqcnParameters::firstCnpFactor)),
                      MakeFractionChecker())
        .AddAttribute("ClampTarget",
                      "Each cut sets the target rate to the rate before the cut",
                      BooleanValue(paper.clampsTarget),
                      MakeBooleanAccessor(Member(&DcqcnParameters::clampsTarget)),
                      MakeBooleanChecker())
        .AddAttribute("ClampTargetAfterTimer",
                      "Without ClampTarget: a cut does so if the timer raised the rate before",
                      BooleanValue(paper.clampsTargetAfterTimer),
                      MakeBooleanAccessor(Member(&DcqcnParameters::clampsTargetAfterTimer)),
                      MakeBooleanChecker());
}

void
Dcqcn::AddIncreaseAttributes(TypeId& tid)
{
    const DcqcnParameters paper;
    tid.AddAttribute("IncreasePeriod",
                     "T: period of the rate increase timer",
                     SimTimeValue(paper.increasePeriod),
                     MakeSimTimeAccessor(Member(&DcqcnParameters::increasePeriod)),
                     MakeSimTimeChecker(SimTime::Nanoseconds(1)))
        .AddAttribute("IncreaseBytes",
                      "B: period of the byte counter; 0B: none",
                      ByteCountValue(paper.increaseBytes),
                      MakeByteCountAccessor(Member(&DcqcnParameters::increaseBytes)),
                      MakeByteCountChecker(ByteCount{}, ByteCount{INT64_MAX}))
        .AddAttribute("FastRecoveryRounds",
                      "F: rounds before the target rate rises",
                      UintegerValue(paper.fastRecoveryRounds),
                      MakeUintegerAccessor(Member(&DcqcnParameters::fastRecoveryRounds)),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("AdditiveIncrease",
                      "R_AI: rise of the target rate in a round",
                      BitRateValue(paper.additiveIncrease),
                      MakeBitRateAccessor(Member(&DcqcnParameters::additiveIncrease)),
                      MakeBitRateChecker())
        .AddAttribute("HyperIncrease",
                      "R_HAI: the same once timer and byte counter have passed F rounds",
                      BitRateValue(paper.hyperIncrease),
                      MakeBitRateAccessor(Member(&DcqcnParameters::hyperIncrease)),
                      MakeBitRateChecker())
        .AddAttribute("ReferenceRate",
                      "Line rate for which the two increases hold; they scale with the line rate; "
                      "0bps: they do not",
                      BitRateValue(paper.referenceRate),
                      MakeBitRateAccessor(Member(&DcqcnParameters::referenceRate)),
                      MakeBitRateChecker())
        .AddAttribute("MinRate",
                      "Lowest rate of a connection; the line rate if that is lower",
                      BitRateValue(paper.minRate),
                      MakeBitRateAccessor(Member(&DcqcnParameters::minRate)),
                      MakeBitRateChecker(BitRate{1}))
        .AddAttribute("MaxRate",
                      "Highest rate of a connection; 0bps: the line rate",
                      BitRateValue(paper.maxRate),
                      MakeBitRateAccessor(Member(&DcqcnParameters::maxRate)),
                      MakeBitRateChecker());
}

} // namespace
} // namespace ns3::rdma
