// SPDX-License-Identifier: GPL-2.0-only
#include "link/pfc-settings.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(PfcSettings);

TypeId
PfcSettings::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::PfcSettings")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<PfcSettings>()
            .AddAttribute(
                "Enabled",
                "Whether ports send and obey pauses; without them all priorities are lossy",
                BooleanValue(true),
                MakeBooleanAccessor(&PfcSettings::m_isEnabled),
                MakeBooleanChecker())
            .AddAttribute(
                "Mode",
                "pfc: a priority is stopped by itself. link-pause: PAUSE frames of "
                "802.3x, which stop all priorities of a port while one of its lossless "
                "ones is over its threshold. none: as Enabled false",
                ChoiceValue<Mode>(Mode::PFC),
                MakeChoiceAccessor<Mode>(&PfcSettings::m_mode),
                MakeChoiceChecker<Mode>(
                    {{Mode::PFC, "pfc"}, {Mode::LINK_PAUSE, "link-pause"}, {Mode::NONE, "none"}}))
            .AddAttribute(
                "LosslessPriorities",
                "Priorities, 0 to 7, that pause instead of dropping; all others are lossy",
                StringValue("3"),
                MakeStringAccessor(&PfcSettings::m_losslessPriorities),
                MakeStringChecker())
            .AddAttribute("PauseQuanta",
                          "Pause time of a PAUSE, in units of 512 bit times of the port",
                          UintegerValue(PFC_MAX_QUANTA),
                          MakeUintegerAccessor(&PfcSettings::m_pauseQuanta),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Response",
                          "Reaction delay of a paused port: the standard's for its speed, or fixed",
                          ChoiceValue<Response>(Response::STANDARD),
                          MakeChoiceAccessor<Response>(&PfcSettings::m_response),
                          MakeChoiceChecker<Response>(
                              {{Response::STANDARD, "standard"}, {Response::FIXED, "fixed"}}))
            .AddAttribute("ResponseTime",
                          "The fixed reaction delay",
                          SimTimeValue(SimTime{}),
                          MakeSimTimeAccessor(&PfcSettings::m_responseTime),
                          MakeSimTimeChecker(SimTime{}, SimTime::Milliseconds(100)))
            .AddAttribute("RefreshPercent",
                          "A PAUSE that must last is repeated after this part of its time, percent",
                          UintegerValue(50),
                          MakeUintegerAccessor(&PfcSettings::m_refreshPercent),
                          MakeUintegerChecker<uint32_t>(1, 100));
    return tid;
}

Expected<PfcConfig>
PfcSettings::GetConfig() const
{
    const auto priorities = ParsePriorities(m_losslessPriorities);
    if (!priorities)
    {
        Diagnostic diagnostic = priorities.Errors().front();
        diagnostic.key = "pfc.lossless_priorities";
        return diagnostic;
    }
    PfcConfig config;
    const bool isOff = !m_isEnabled || m_mode == Mode::NONE;
    config.lossless = isOff ? PriorityMask{0} : *priorities;
    config.isLinkPause = m_mode == Mode::LINK_PAUSE;
    config.quanta = m_pauseQuanta;
    config.refreshPercent = m_refreshPercent;
    if (m_response == Response::FIXED)
    {
        config.responseTime = m_responseTime;
    }
    return config;
}

Expected<PriorityMask>
ParsePriorities(const std::string& text)
{
    PriorityMask mask = 0;
    std::istringstream words{text};
    for (std::string word; words >> word;)
    {
        if (word.size() != 1 || word[0] < '0' || word[0] >= '0' + PRIORITY_COUNT)
        {
            Diagnostic diagnostic;
            diagnostic.message = "not a priority";
            diagnostic.got = word;
            diagnostic.expected = "numbers from 0 to 7 with spaces between";
            return diagnostic;
        }
        mask |= PriorityBit(static_cast<uint8_t>(word[0] - '0'));
    }
    return mask;
}

} // namespace ns3::rdma
