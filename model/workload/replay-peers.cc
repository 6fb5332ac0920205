// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-peers.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::rdma
{

namespace
{

// Bits of ibv_qp_attr_mask.
constexpr uint32_t MASK_RQ_PSN = 1U << 12;
constexpr uint32_t MASK_SQ_PSN = 1U << 16;

bool
FitsPsn(const QueuePairChange& sender, const QueuePairChange& receiver)
{
    const bool isKnown = (sender.mask & MASK_SQ_PSN) != 0 && (receiver.mask & MASK_RQ_PSN) != 0;
    return !isKnown || sender.sendPsn == receiver.receivePsn;
}

bool
IsZero(const Gid& gid)
{
    return gid == Gid{};
}

/** Finds peers; an object because each that is found may help to find others. */
class PeerFinder
{
  public:
    PeerFinder(ReplaySurvey& survey, const std::vector<TraceProcess>& processes)
        : m_survey{survey},
          m_processes{processes}
    {
        for (uint32_t i = 0; i < survey.queuePairs.size(); ++i)
        {
            if (survey.queuePairs[i].isConnected)
            {
                m_byNumber.emplace(survey.queuePairs[i].detail.number, i);
            }
        }
    }

    Diagnostics Run()
    {
        bool hasLearned = true;
        while (hasLearned)
        {
            hasLearned = false;
            for (uint32_t i = 0; i < m_survey.queuePairs.size(); ++i)
            {
                hasLearned = TryToFind(i) || hasLearned;
            }
        }
        Diagnostics findings;
        for (uint32_t i = 0; i < m_survey.queuePairs.size(); ++i)
        {
            const SurveyedQueuePair& pair = m_survey.queuePairs[i];
            if (pair.isConnected && pair.peer == NO_INDEX && pair.posts > 0)
            {
                findings.push_back(Describe(i));
            }
        }
        return findings;
    }

  private:
    bool KnowsGid(uint32_t process, const Gid& gid) const
    {
        return std::ranges::count(m_survey.processes[process].gids, gid) != 0;
    }

    /** Whether the end that a GID leads to may be that of a process. */
    bool FitsGid(const Gid& gid, uint32_t process) const
    {
        const auto& known = m_survey.processes[process].gids;
        if (IsZero(gid) || known.empty() || KnowsGid(process, gid))
        {
            return true;
        }
        // It may have another GID besides.
        return !IsKnownElsewhere(gid, process);
    }

    bool IsKnownElsewhere(const Gid& gid, uint32_t process) const
    {
        for (uint32_t other = 0; other < m_survey.processes.size(); ++other)
        {
            if (other != process && KnowsGid(other, gid) &&
                m_survey.processes[other].clockNumber != m_survey.processes[process].clockNumber)
            {
                return true;
            }
        }
        return false;
    }

    bool Fits(uint32_t own, uint32_t other) const
    {
        const SurveyedQueuePair& a = m_survey.queuePairs[own];
        const SurveyedQueuePair& b = m_survey.queuePairs[other];
        return b.peer == NO_INDEX && b.attributes.destinationQp == a.detail.number &&
               FitsPsn(a.attributes, b.attributes) && FitsPsn(b.attributes, a.attributes) &&
               FitsGid(a.attributes.destination, b.process) &&
               FitsGid(b.attributes.destination, a.process);
    }

    /** Ends that fit; those of other processes if there are any. */
    std::vector<uint32_t> FindCandidates(uint32_t own) const
    {
        const SurveyedQueuePair& pair = m_survey.queuePairs[own];
        std::vector<uint32_t> here;
        std::vector<uint32_t> elsewhere;
        const auto range = m_byNumber.equal_range(pair.attributes.destinationQp);
        for (auto it = range.first; it != range.second; ++it)
        {
            if (Fits(own, it->second))
            {
                const bool isHere = m_survey.queuePairs[it->second].process == pair.process;
                (isHere ? here : elsewhere).push_back(it->second);
            }
        }
        return elsewhere.empty() ? here : elsewhere;
    }

    bool TryToFind(uint32_t own)
    {
        SurveyedQueuePair& pair = m_survey.queuePairs[own];
        if (!pair.isConnected || pair.peer != NO_INDEX)
        {
            return false;
        }
        const std::vector<uint32_t> candidates = FindCandidates(own);
        if (candidates.size() != 1)
        {
            return false;
        }
        SurveyedQueuePair& peer = m_survey.queuePairs[candidates.front()];
        pair.peer = candidates.front();
        peer.peer = own;
        Learn(pair.attributes.destination, peer.process);
        Learn(peer.attributes.destination, pair.process);
        return true;
    }

    void Learn(const Gid& gid, uint32_t process)
    {
        if (!IsZero(gid) && !KnowsGid(process, gid))
        {
            m_survey.processes[process].gids.push_back(gid);
        }
    }

    Diagnostic Describe(uint32_t own) const
    {
        const SurveyedQueuePair& pair = m_survey.queuePairs[own];
        const auto candidates = FindCandidates(own);
        Diagnostic finding;
        finding.key = "files";
        finding.message = "queue pair " + std::to_string(pair.detail.number) + " of " +
                          m_processes[pair.process].name + " is connected to queue pair " +
                          std::to_string(pair.attributes.destinationQp) + ", ";
        finding.message += candidates.empty()
                               ? "which no process of the trace has"
                               : "which " + std::to_string(candidates.size()) + " processes have";
        finding.expected = candidates.empty() ? "the trace of the other end as well"
                                              : "GIDs or sequence numbers that tell them apart";
        return finding;
    }

    ReplaySurvey& m_survey;
    const std::vector<TraceProcess>& m_processes;
    std::multimap<uint32_t, uint32_t> m_byNumber; ///< connected queue pairs
};

} // namespace

Diagnostics
FindPeers(ReplaySurvey& survey, const std::vector<TraceProcess>& processes)
{
    return PeerFinder{survey, processes}.Run();
}

} // namespace ns3::rdma
