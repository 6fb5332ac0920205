// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "link/egress-scheduler.h"
#include "link/pfc-settings.h"

#include "ns3/string.h"

#include <array>
#include <bit>
#include <sstream>

namespace ns3::rdma
{

/**
 * Deficit weighted round robin: each turn adds a priority's weight to its credit, and it sends
 * while the credit covers its next frame. Some priorities may be strict and go before all others.
 *
 * @spec Shreedhar, Varghese, SIGCOMM 1995 (deficit round robin)
 * @choice a turn is worth weight x largest frame, so that each turn sends at least one frame; a
 * priority that is alone takes no turns, and the credit of one that runs empty is lost when the
 * turn passes it
 */
class DwrrScheduler : public EgressScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::DwrrScheduler")
                .SetParent<EgressScheduler>()
                .SetGroupName("Rdma")
                .AddConstructor<DwrrScheduler>()
                .AddAttribute("Weights",
                              "Weights of priorities 0 to 7, 1 to 1000000 each",
                              StringValue("1 1 1 1 1 1 1 1"),
                              MakeStringAccessor(&DwrrScheduler::m_weightText),
                              MakeStringChecker())
                .AddAttribute("StrictPriorities",
                              "Priorities that go before all others, the highest first",
                              StringValue(""),
                              MakeStringAccessor(&DwrrScheduler::m_strictText),
                              MakeStringChecker());
        return tid;
    }

    Diagnostics SetUp(uint32_t maxFrameBytes) override
    {
        Diagnostics errors;
        std::istringstream words{m_weightText};
        std::string rest;
        bool isInRange = true;
        for (uint64_t& quantum : m_quantum)
        {
            int64_t weight = 0; // Signed: an unsigned number would take "-1" for a large one.
            words >> weight;
            isInRange &= weight >= 1 && weight <= MAX_WEIGHT;
            quantum = static_cast<uint64_t>(weight) * maxFrameBytes;
        }
        if (!words || words >> rest || !isInRange)
        {
            Diagnostic diagnostic;
            diagnostic.key = "switch.scheduler.weights";
            diagnostic.message = "not a weight for each priority";
            diagnostic.got = m_weightText;
            diagnostic.expected = "8 whole numbers from 1 to 1000000, for priorities 0 to 7";
            errors.push_back(diagnostic);
        }
        const auto strict = ParsePriorities(m_strictText);
        if (!strict)
        {
            errors.push_back(strict.Errors().front());
            errors.back().key = "switch.scheduler.strict_priorities";
            return errors;
        }
        m_strict = *strict;
        return errors;
    }

  private:
    static constexpr int64_t MAX_WEIGHT = 1'000'000; ///< a turn's bytes are far from 64 bits

    uint8_t DoSelect(PriorityMask eligible, const EgressQueues& queues) override
    {
        const PriorityMask strict = eligible & m_strict;
        if (strict != 0)
        {
            return static_cast<uint8_t>(std::bit_width(strict) - 1);
        }
        while ((eligible & PriorityBit(m_turn)) == 0 ||
               m_credit[m_turn] < queues.Head(m_turn)->frameBytes)
        {
            if ((eligible & PriorityBit(m_turn)) == 0)
            {
                m_credit[m_turn] = 0;
            }
            m_turn = static_cast<uint8_t>((m_turn + 1) % PRIORITY_COUNT);
            m_credit[m_turn] += m_quantum[m_turn];
        }
        m_credit[m_turn] -= queues.Head(m_turn)->frameBytes;
        return m_turn;
    }

    std::string m_weightText;
    std::string m_strictText;
    std::array<uint64_t, PRIORITY_COUNT> m_quantum{}; ///< bytes that a turn is worth
    std::array<uint64_t, PRIORITY_COUNT> m_credit{};
    PriorityMask m_strict{0};
    uint8_t m_turn{0};
};

NS_OBJECT_ENSURE_REGISTERED(DwrrScheduler);

const ComponentHelp HELP{"ns3::rdma::DwrrScheduler",
                         "Deficit weighted round robin over the priorities"};

} // namespace ns3::rdma
