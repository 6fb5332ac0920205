// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hpcc-config-table.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{

namespace
{

using Use = HpccUse;
using Conversion = HpccConversion;

constexpr HpccKey
Neutral(std::string_view name, uint32_t arity = 1)
{
    return {.name = name, .arity = arity};
}

constexpr HpccKey
Special(std::string_view name, uint32_t arity = 1)
{
    return {.name = name, .arity = arity, .use = Use::SPECIAL};
}

constexpr HpccKey
Accepted(std::string_view name, std::string_view value, std::string_view reason)
{
    return {.name = name, .use = Use::ACCEPTED, .accepted = value, .reason = reason};
}

constexpr HpccKey
Convert(std::string_view name, Conversion conversion, std::string_view scenarioKey)
{
    return {
        .name = name, .use = Use::SETTING, .conversion = conversion, .scenarioKey = scenarioKey};
}

constexpr HpccKey
Dcqcn(std::string_view name, Conversion conversion, std::string_view scenarioKey)
{
    HpccKey key = Convert(name, conversion, scenarioKey);
    key.algorithm = "dcqcn";
    return key;
}

constexpr HpccKey CONWEAVE_KEY = Neutral("CONWEAVE_*"); ///< no effect without LB_MODE 9

constexpr std::array KEYS{
    Special("TOPOLOGY_FILE"),
    Special("FLOW_FILE"),
    Special("FCT_OUTPUT_FILE"),
    Special("PFC_OUTPUT_FILE"),
    Special("TRACE_FILE"),
    Special("CC_MODE"),
    Special("ENABLE_QCN"),
    Special("PACKET_PAYLOAD_SIZE"),
    Special("L2_ACK_INTERVAL"),
    Special("HAS_WIN"),
    Special("VAR_WIN"),
    Special("GLOBAL_T"),
    Special("KMAX_MAP", HpccKey::MAP),
    Special("KMIN_MAP", HpccKey::MAP),
    Special("PMAX_MAP", HpccKey::MAP),
    Special("LINK_DOWN", 3),
    Convert("SIMULATOR_STOP_TIME", Conversion::SECONDS, "duration"),
    Convert("BUFFER_SIZE", Conversion::MEBIBYTES, "switch.buffer.size"),
    Convert("ENABLE_PFC", Conversion::BOOLEAN, "pfc.enabled"),
    Dcqcn("ALPHA_RESUME_INTERVAL", Conversion::MICROSECONDS, "congestion.alpha_period"),
    Dcqcn("RATE_DECREASE_INTERVAL", Conversion::MICROSECONDS, "congestion.reduce_period"),
    Dcqcn("CLAMP_TARGET_RATE", Conversion::BOOLEAN, "congestion.clamp_target"),
    Dcqcn("RP_TIMER", Conversion::MICROSECONDS, "congestion.increase_period"),
    Dcqcn("EWMA_GAIN", Conversion::FRACTION, "congestion.alpha_gain"),
    Dcqcn("FAST_RECOVERY_TIMES", Conversion::WHOLE, "congestion.fast_recovery_rounds"),
    Dcqcn("RATE_AI", Conversion::RATE, "congestion.additive_increase"),
    Dcqcn("RATE_HAI", Conversion::RATE, "congestion.hyper_increase"),
    Dcqcn("MIN_RATE", Conversion::RATE, "congestion.min_rate"),
    Accepted("L2_BACK_TO_ZERO", "0", "going back to the start of a chunk is not modelled"),
    Accepted("ENABLE_IRN", "0", "selective repeat is not modelled"),
    Accepted("LB_MODE", "0", "only hashing of flows (ECMP) is modelled"),
    Accepted("ACK_HIGH_PRIO", "0", "acknowledgements go in the priority of their data"),
    Accepted("RATE_BOUND", "1", "flows without pacing are not modelled"),
    Accepted("ERROR_RATE_PER_LINK", "0", "loss rates belong in the topology file, link by link"),
    Neutral("USE_DYNAMIC_PFC_THRESHOLD"), // read there, and never used
    Neutral("L2_CHUNK_SIZE"),             // for L2_BACK_TO_ZERO only
    Neutral("PAUSE_TIME"),                // carried there, never used to expire
    Neutral("DATA_RATE"),                 // read there, and never used
    Neutral("LINK_DELAY"),                // read there, and never used
    Neutral("DCTCP_RATE_AI"),             // from here on: for other algorithms
    Neutral("FAST_REACT"),
    Neutral("U_TARGET"),
    Neutral("MI_THRESH"),
    Neutral("INT_MULTI"),
    Neutral("MULTI_RATE"),
    Neutral("SAMPLE_FEEDBACK"),
    Neutral("PINT_LOG_BASE"),
    Neutral("PINT_PROB"),
    Neutral("TRACE_OUTPUT_FILE"), // from here on: output in forms of its own
    Neutral("ENABLE_TRACE"),
    Neutral("QLEN_MON_FILE"),
    Neutral("QLEN_MON_START"),
    Neutral("QLEN_MON_END"),
    Neutral("BW_MON_FILE"),
    Neutral("RATE_MON_FILE"),
    Neutral("CNP_MON_FILE"),
    Neutral("MON_START"),
    Neutral("MON_END"),
    Neutral("QP_MON_INTERVAL"),
    Neutral("QLEN_MON_INTERVAL"),
    Neutral("BW_MON_INTERVAL"),
    Neutral("NIC_TOTAL_PAUSE_TIME"),
    Neutral("VOQ_MON_FILE"),
    Neutral("VOQ_MON_DETAIL_FILE"),
    Neutral("UPLINK_MON_FILE"),
    Neutral("CONN_MON_FILE"),
    Neutral("EST_ERROR_MON_FILE"),
    Neutral("SW_MONITORING_INTERVAL"),
    Neutral("FLOWGEN_START_TIME"), // flow files hold their own times
    Neutral("FLOWGEN_STOP_TIME"),
};

struct Mode
{
    uint64_t number;
    std::string_view name;
};

constexpr std::array MODES{
    Mode{1, "dcqcn"},
    Mode{3, "hpcc"},
    Mode{7, "timely"},
    Mode{8, "dctcp"},
    Mode{10, "hpcc-pint"},
    Mode{12, "none"},
};

} // namespace

std::span<const HpccKey>
GetHpccKeys()
{
    return KEYS;
}

const HpccKey*
FindHpccKey(std::string_view name)
{
    if (name.starts_with("CONWEAVE_"))
    {
        return &CONWEAVE_KEY;
    }
    const auto found = std::find_if(
        KEYS.begin(), KEYS.end(), [&](const HpccKey& key) { return key.name == name; });
    return found == KEYS.end() ? nullptr : &*found;
}

std::string_view
HpccAlgorithmName(uint64_t mode)
{
    const auto found = std::find_if(
        MODES.begin(), MODES.end(), [&](const Mode& known) { return known.number == mode; });
    return found == MODES.end() ? std::string_view{} : found->name;
}

} // namespace ns3::rdma
