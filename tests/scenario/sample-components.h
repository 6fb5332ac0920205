// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "base/component-help.h"
#include "base/settings-check.h"
#include "congestion/congestion-control.h"
#include "scenario/group-rules.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/object.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>

namespace ns3::rdma
{

/** Settings with one attribute of each kind, checked together. */
class SampleSettings : public Object, public SettingsCheck
{
  public:
    enum class Mode
    {
        FAST,
        SLOW,
    };

    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::SampleSettings")
                .SetParent<Object>()
                .AddConstructor<SampleSettings>()
                .AddAttribute("Delay",
                              "A time",
                              SimTimeValue(SimTime::Microseconds(1)),
                              MakeSimTimeAccessor(&SampleSettings::m_delay),
                              MakeSimTimeChecker(SimTime{}, SimTime::Milliseconds(100)))
                .AddAttribute("Size",
                              "Some bytes",
                              ByteCountValue(ByteCount{1000}),
                              MakeByteCountAccessor(&SampleSettings::m_size),
                              MakeByteCountChecker())
                .AddAttribute("Gain",
                              "A fraction",
                              FractionValue(Fraction{1, 256}),
                              MakeFractionAccessor(&SampleSettings::m_gain),
                              MakeFractionChecker())
                .AddAttribute("Mode",
                              "A choice",
                              ChoiceValue<Mode>(Mode::FAST),
                              MakeChoiceAccessor<Mode>(&SampleSettings::m_mode),
                              MakeChoiceChecker<Mode>({{Mode::FAST, "fast"}, {Mode::SLOW, "slow"}}))
                .AddAttribute("Enabled",
                              "A switch",
                              BooleanValue(true),
                              MakeBooleanAccessor(&SampleSettings::m_isEnabled),
                              MakeBooleanChecker())
                .AddAttribute("Count",
                              "A whole number",
                              UintegerValue(3),
                              MakeUintegerAccessor(&SampleSettings::m_count),
                              MakeUintegerChecker<uint32_t>(1, 100))
                .AddAttribute("Offset",
                              "An integer",
                              IntegerValue(0),
                              MakeIntegerAccessor(&SampleSettings::m_offset),
                              MakeIntegerChecker<int32_t>(-5, 5))
                .AddAttribute("Scale",
                              "A real number",
                              DoubleValue(1.5),
                              MakeDoubleAccessor(&SampleSettings::m_scale),
                              MakeDoubleChecker<double>(0.0, 10.0))
                .AddAttribute("Priorities",
                              "A list",
                              StringValue("3"),
                              MakeStringAccessor(&SampleSettings::m_priorities),
                              MakeStringChecker())
                .AddAttribute("TableFile",
                              "A path",
                              StringValue(""),
                              MakeStringAccessor(&SampleSettings::m_file),
                              MakeStringChecker())
                .AddAttribute("Peer",
                              "No text can set it",
                              PointerValue(),
                              MakePointerAccessor(&SampleSettings::m_peer),
                              MakePointerChecker<Object>());
        return tid;
    }

    /** Twelve is a priority only in its grammar's eyes: the attribute is free text. */
    Diagnostics CheckSettings() const override
    {
        Diagnostics errors;
        if (m_priorities == "12")
        {
            errors.push_back({"", 0, "priorities", "not a priority", "12", "0 .. 7", "", {}});
        }
        return errors;
    }

    SimTime m_delay;
    ByteCount m_size;
    Fraction m_gain;
    Mode m_mode{Mode::FAST};
    bool m_isEnabled{true};
    uint32_t m_count{0};
    int32_t m_offset{0};
    double m_scale{0};
    std::string m_priorities;
    std::string m_file;
    Ptr<Object> m_peer;
};

NS_OBJECT_ENSURE_REGISTERED(SampleSettings);

/** A base with two children, one of them "none". */
class SamplePolicy : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::SamplePolicy")
                                .SetParent<Object>()
                                .AddAttribute("Limit",
                                              "What all policies have",
                                              ByteCountValue(ByteCount{9000}),
                                              MakeByteCountAccessor(&SamplePolicy::m_limit),
                                              MakeByteCountChecker());
        return tid;
    }

    ByteCount m_limit;
};

NS_OBJECT_ENSURE_REGISTERED(SamplePolicy);

class NoSamplePolicy : public SamplePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::NoSamplePolicy")
                                .SetParent<SamplePolicy>()
                                .AddConstructor<NoSamplePolicy>();
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(NoSamplePolicy);

class TwoStepSamplePolicy : public SamplePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TwoStepSamplePolicy")
                                .SetParent<SamplePolicy>()
                                .AddConstructor<TwoStepSamplePolicy>()
                                .AddAttribute("Step",
                                              "Size of a step",
                                              ByteCountValue(ByteCount{400}),
                                              MakeByteCountAccessor(&TwoStepSamplePolicy::m_step),
                                              MakeByteCountChecker());
        return tid;
    }

    ByteCount m_step;
};

NS_OBJECT_ENSURE_REGISTERED(TwoStepSamplePolicy);

inline const ComponentHelp TWO_STEP_HELP{"ns3::rdma::TwoStepSamplePolicy", "Takes two steps"};

/** A congestion control with parameter sets. */
class SampleControl : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::SampleControl")
                                .SetParent<CongestionControl>()
                                .AddConstructor<SampleControl>()
                                .AddAttribute("Rate",
                                              "A rate",
                                              BitRateValue(BitRate::Gbps(1)),
                                              MakeBitRateAccessor(&SampleControl::m_rate),
                                              MakeBitRateChecker())
                                .AddAttribute("Timer",
                                              "A time",
                                              SimTimeValue(SimTime::Microseconds(55)),
                                              MakeSimTimeAccessor(&SampleControl::m_timer),
                                              MakeSimTimeChecker());
        return tid;
    }

    std::unique_ptr<CongestionController> NewController(BitRate, SimTime) const override
    {
        return nullptr;
    }

    Feedback GetFeedback() const override
    {
        return Feedback::NONE;
    }

    std::span<const ParameterSet> GetParameterSets() const override
    {
        static constexpr std::array<ParameterSet::Entry, 2> PAPER{
            {{"Rate", "40Gbps"}, {"Timer", "300us"}}};
        static constexpr std::array<ParameterSet, 1> SETS{{{"paper", "A paper 2015", PAPER}}};
        return SETS;
    }

    BitRate m_rate;
    SimTime m_timer;
};

NS_OBJECT_ENSURE_REGISTERED(SampleControl);

inline const ComponentHelp CONTROL_HELP{"ns3::rdma::SampleControl", "Controls nothing"};

/** Groups of the classes above, beside the real topologies and workloads. */
inline GroupRules
SampleRules()
{
    GroupRules rules{
        {.key = "pfc",
         .help = "Sample settings",
         .typeName = "ns3::rdma::SampleSettings",
         .slot = &Scenario::pfc},
        {.key = "pfc.policy",
         .help = "Sample policies",
         .typeName = "ns3::rdma::SamplePolicy",
         .selector = "policy",
         .noun = "SamplePolicy",
         .defaultChoice = "none",
         .slot = &Scenario::buffer},
    };
    for (const char* key : {"topology", "workload"})
    {
        rules.push_back(*FindGroupRule(GetGroupRules(), key));
    }
    return rules;
}

} // namespace ns3::rdma
