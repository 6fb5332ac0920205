// SPDX-License-Identifier: GPL-2.0-only
/*
 * Verbs calls of unmodified programs (perftest, rping, ibv_*_pingpong) on Linux's rxe, recorded
 * with their results: each of them succeeded there and has to succeed here.
 */
#include "tests/support/source-folder.h"
#include "verbs/queue-pair-state.h"
#include "verbs/verbs-objects.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace ns3::rdma
{
namespace
{

using Call = nlohmann::json;

/** Linux drivers/infiniband/sw/rxe/rxe_param.h: RXE_MAX_QP_RD_ATOM is 128. */
constexpr DeviceLimits RXE_LIMITS{.maxReadAtomic = 128,
                                  .queuePairTypes = (1 << static_cast<int>(QueuePairType::RC)) |
                                                    (1 << static_cast<int>(QueuePairType::UC)) |
                                                    (1 << static_cast<int>(QueuePairType::UD))};

/** One process: its calls made on the objects of a device. */
class Process
{
  public:
    Process()
    {
        // The allocation of domains is not recorded; each program has one.
        EXPECT_EQ(m_objects.AllocateProtectionDomain(m_domain), VerbsError::NONE);
    }

    /** Makes a call; what is not of this part is passed over. */
    void Make(const Call& call)
    {
        const std::string name = call.at("ev");
        if (name == "reg_mr" || name == "reg_mr_iova2")
        {
            Register(call);
        }
        else if (name == "dereg_mr")
        {
            EXPECT_EQ(m_objects.DeregisterMemory(m_regions.at(call.at("lkey"))), VerbsError::NONE);
        }
        else if (name == "create_cq")
        {
            EXPECT_EQ(
                m_objects.CreateCompletionQueue(call.at("cqe"), nullptr, m_queues[call.at("cq")]),
                VerbsError::NONE);
        }
        else if (name == "create_qp")
        {
            Create(call);
        }
        else if (name == "modify_qp")
        {
            Modify(call);
        }
        else if (name == "destroy_qp")
        {
            m_objects.RemoveQueuePair(m_pairs.at(call.at("qp")).init);
        }
    }

    uint32_t modifies{0};
    uint32_t regions{0};
    std::set<std::pair<QueuePairState, QueuePairState>> transitions;

  private:
    struct Pair
    {
        QueuePairInit init;
        QueuePairAttributes attributes;
    };

    /** IBV_ACCESS_RELAXED_ORDERING (bit 20) and the like are hints, not rights. */
    void Register(const Call& call)
    {
        const std::string address = call.at("addr");
        const MemoryRegionSpec spec{
            .protectionDomain = m_domain.value,
            .address = std::stoull(address, nullptr, 16),
            .length = call.at("len"),
            .access = static_cast<uint8_t>(call.at("access").get<uint32_t>() & ACCESS_ALL)};
        MemoryRegion region;
        ASSERT_EQ(m_objects.RegisterMemory(spec, region), VerbsError::NONE) << call;
        const uint32_t lkey = call.at("lkey");
        const uint32_t rkey = call.at("rkey");
        EXPECT_EQ(region.rkey == 0, rkey == 0) << call;
        EXPECT_EQ(region.rkey == region.lkey, rkey == lkey) << call;
        m_regions[lkey] = region;
        ++regions;
    }

    void Create(const Call& call)
    {
        const QueuePairInit init{.type = static_cast<QueuePairType>(call.at("type").get<int>()),
                                 .protectionDomain = m_domain,
                                 .sendQueue = m_queues.at(call.at("send_cq")),
                                 .receiveQueue = m_queues.at(call.at("recv_cq")),
                                 .capabilities = {.maxSendRequests = call.at("max_send_wr"),
                                                  .maxReceiveRequests = call.at("max_recv_wr"),
                                                  .maxSendElements = call.at("max_send_sge"),
                                                  .maxReceiveElements = call.at("max_recv_sge"),
                                                  .maxInlineBytes = call.at("max_inline")}};
        EXPECT_EQ(m_objects.AddQueuePair(init), VerbsError::NONE) << call;
        m_pairs[call.at("qp")] = {init, {}};
    }

    void Modify(const Call& call)
    {
        Pair& pair = m_pairs.at(call.at("qp"));
        QueuePairAttributes asked;
        asked.state = static_cast<QueuePairState>(call.value("qp_state", 0));
        asked.accessFlags = call.value("qp_access_flags", 0);
        asked.pkeyIndex = call.value("pkey_index", 0);
        asked.port = call.value("port_num", 1);
        asked.pathMtu = static_cast<uint16_t>(128 << call.value("path_mtu", 3)); // enum ibv_mtu
        asked.receivePsn = Psn{call.value("rq_psn", uint64_t{0})};
        asked.sendPsn = Psn{call.value("sq_psn", uint64_t{0})};
        asked.destinationQp = {call.value("dest_qp_num", 0U)};
        asked.minRnrTimer = call.value("min_rnr_timer", 0);
        asked.maxDestReadAtomic = call.value("max_dest_rd_atomic", 0);
        asked.maxReadAtomic = call.value("max_rd_atomic", 0);
        asked.timeout = call.value("timeout", 0);
        asked.retryCount = call.value("retry_cnt", 0);
        asked.rnrRetry = call.value("rnr_retry", 0);
        const QueuePairState from = pair.attributes.state;
        const uint32_t mask = call.at("mask");
        const auto wrong = CheckModify({pair.init.type, from, asked, mask}, RXE_LIMITS);
        ASSERT_EQ(call.at("rc"), 0);
        ASSERT_FALSE(wrong) << call << ToString(*wrong);
        ApplyModify(pair.attributes, asked, mask);
        transitions.emplace(from, pair.attributes.state);
        ++modifies;
    }

    VerbsObjects m_objects{RXE_LIMITS};
    ProtectionDomainId m_domain;
    std::map<uint32_t, MemoryRegion> m_regions; ///< by the recorded L_Key
    std::map<int, CompletionQueueId> m_queues;  ///< by the recorded handle
    std::map<uint32_t, Pair> m_pairs;           ///< by the recorded number
};

TEST(RecordedCalls, WhatLinuxGrantsIsGranted)
{
    const std::filesystem::path folder = GetSourceFolder() / "../shared/captures/verbs-calls";
    if (!std::filesystem::exists(folder))
    {
        GTEST_SKIP() << "no recorded calls in " << folder;
    }
    uint32_t modifies = 0;
    uint32_t regions = 0;
    std::set<std::pair<QueuePairState, QueuePairState>> transitions;
    for (const auto& entry : std::filesystem::directory_iterator{folder})
    {
        // iWARP's connection manager sets the attributes itself: another table.
        const std::string name = entry.path().filename();
        if (entry.path().extension() != ".jsonl" || name.find("siw") != std::string::npos)
        {
            continue;
        }
        SCOPED_TRACE(name);
        Process process;
        std::ifstream stream{entry.path()};
        for (std::string line; std::getline(stream, line);)
        {
            process.Make(Call::parse(line));
        }
        modifies += process.modifies;
        regions += process.regions;
        transitions.merge(process.transitions);
    }
    // As many as the recordings hold; those of a region without a remote right among them.
    EXPECT_EQ(modifies, 80U);
    EXPECT_EQ(regions, 36U);
    using enum QueuePairState;
    EXPECT_TRUE(transitions.contains({RESET, INIT}));
    EXPECT_TRUE(transitions.contains({INIT, RTR}));
    EXPECT_TRUE(transitions.contains({RTR, RTS}));
}

} // namespace
} // namespace ns3::rdma
