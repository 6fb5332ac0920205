// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random sequences of everything that a memory table does, beside a plain model of it: a list of
 * regions that is searched, and one array of bytes that all of them look at.
 */
#include "verbs/memory-table.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>
#include <vector>

namespace ns3::rdma
{
namespace
{

constexpr uint64_t BASE = 0xfffffffffffff000; ///< near the end, where sums wrap
constexpr std::size_t BYTES = 64;             ///< few, so that edges meet often
constexpr std::size_t MARGIN = 8;             ///< accesses begin outside, too

class MemoryTablePropertyTest : public testing::TestWithParam<uint64_t>
{
  protected:
    struct Access
    {
        MemoryAccess access;
        std::size_t offset; ///< of the address from BASE, modulo 2^64
    };

    uint64_t Draw(uint64_t end)
    {
        return std::uniform_int_distribution<uint64_t>{0, end - 1}(m_random);
    }

    void Register()
    {
        const uint64_t offset = Draw(BYTES);
        const MemoryRegionSpec spec{.protectionDomain = static_cast<uint32_t>(1 + Draw(2)),
                                    .address = BASE + offset,
                                    .length = Draw(BYTES - offset + 1),
                                    .access = static_cast<uint8_t>(Draw(ACCESS_ALL + 1)),
                                    .storage = &m_storage[offset],
                                    .isInvalidatable = Draw(2) == 0};
        const bool needsLocalWrite =
            (spec.access & (ACCESS_REMOTE_WRITE | ACCESS_REMOTE_ATOMIC)) != 0;
        const bool isSound = !needsLocalWrite || (spec.access & ACCESS_LOCAL_WRITE) != 0;
        MemoryRegion region;
        ASSERT_EQ(m_table.Register(spec, region),
                  isSound ? VerbsError::NONE : VerbsError::INVALID_ARGUMENT);
        if (isSound)
        {
            ASSERT_FALSE(m_regions.contains(region.lkey)) << "two regions with one key";
            m_regions[region.lkey] = spec;
            m_keys.push_back(region.lkey);
        }
    }

    /** Any key that ever was one, or none. */
    uint32_t DrawKey()
    {
        return m_keys.empty() || Draw(8) == 0 ? static_cast<uint32_t>(Draw(1 << 12))
                                              : m_keys[Draw(m_keys.size())];
    }

    void Deregister()
    {
        const uint32_t key = DrawKey();
        const bool isKnown = m_regions.erase(key) == 1;
        m_invalidated.erase(key);
        ASSERT_EQ(m_table.Deregister(key), isKnown ? VerbsError::NONE : VerbsError::NOT_FOUND);
    }

    void Invalidate()
    {
        const uint32_t key = DrawKey();
        const auto domain = static_cast<uint32_t>(1 + Draw(2));
        const auto region = m_regions.find(key);
        const bool isAllowed = region != m_regions.end() && !m_invalidated.contains(key) &&
                               region->second.isInvalidatable &&
                               region->second.protectionDomain == domain;
        ASSERT_EQ(m_table.CanInvalidate(key, domain), isAllowed);
        if (isAllowed)
        {
            m_table.Invalidate(key);
            m_invalidated[key] = true;
        }
    }

    /** Mostly one that a region nearly allows: what is wrong with all of it tests little. */
    Access DrawAccess()
    {
        const std::size_t offset = Draw(BYTES + 2 * MARGIN) - MARGIN;
        MemoryAccess access{.key = DrawKey(),
                            .protectionDomain = static_cast<uint32_t>(1 + Draw(2)),
                            .address = BASE + offset,
                            .length = Draw(32) == 0 ? UINT64_MAX - Draw(BYTES) : Draw(BYTES),
                            .rights = static_cast<uint8_t>(Draw(ACCESS_ALL + 1))};
        if (!m_regions.empty() && Draw(4) != 0)
        {
            const auto place = static_cast<std::ptrdiff_t>(Draw(m_regions.size()));
            const auto& [key, spec] = *std::next(m_regions.begin(), place);
            access.key = key;
            access.protectionDomain =
                Draw(4) != 0 ? spec.protectionDomain : access.protectionDomain;
            access.rights &= Draw(4) != 0 ? spec.access : ACCESS_ALL;
            access.length = std::min(access.length, Draw(4) != 0 ? spec.length : UINT64_MAX);
        }
        return {access, offset};
    }

    AccessCheck Expected(const MemoryAccess& access) const
    {
        const auto region = m_regions.find(access.key);
        if (access.length == 0)
        {
            return AccessCheck::OK;
        }
        if (region == m_regions.end() || m_invalidated.contains(access.key))
        {
            return AccessCheck::BAD_KEY;
        }
        const MemoryRegionSpec& spec = region->second;
        if (spec.protectionDomain != access.protectionDomain)
        {
            return AccessCheck::WRONG_DOMAIN;
        }
        if ((access.rights & ~spec.access) != 0)
        {
            return AccessCheck::NO_RIGHT;
        }
        // Byte for byte; none of a region's numbers wraps, so an access that does is outside.
        for (uint64_t i = 0; i < access.length; ++i)
        {
            const uint64_t address = access.address + i;
            if (address < spec.address || address - spec.address >= spec.length ||
                address < access.address)
            {
                return AccessCheck::OUT_OF_BOUNDS;
            }
        }
        return AccessCheck::OK;
    }

    /** What was checked is read and written where it belongs, and nothing beside it. */
    void CheckAndMove()
    {
        const auto [access, offset] = DrawAccess();
        ASSERT_EQ(m_table.Check(access), Expected(access)) << access.key << " " << access.length;
        if (access.length == 0)
        {
            return;
        }
        ++m_verdicts[static_cast<std::size_t>(Expected(access))];
        if (Expected(access) != AccessCheck::OK)
        {
            return;
        }
        std::vector<std::byte> bytes(access.length);
        m_table.Read(access.key, access.address, bytes);
        ASSERT_TRUE(std::ranges::equal(bytes, std::span{m_bytes}.subspan(offset, access.length)));
        std::ranges::generate(bytes, [&] { return static_cast<std::byte>(Draw(256)); });
        m_table.Write(access.key, access.address, bytes);
        std::ranges::copy(bytes, m_bytes.begin() + static_cast<std::ptrdiff_t>(offset));
        ASSERT_EQ(m_storage, m_bytes);
    }

    /** A write that nobody checked touches nothing that its key does not reach. */
    void MoveUnchecked()
    {
        const auto [access, offset] = DrawAccess();
        const std::vector<std::byte> bytes(Draw(BYTES), std::byte{0xee});
        MemoryAccess asked = access;
        asked.length = bytes.size();
        asked.rights = 0;
        if (const auto region = m_regions.find(access.key); region != m_regions.end())
        {
            asked.protectionDomain = region->second.protectionDomain;
        }
        if (Expected(asked) == AccessCheck::OK && !bytes.empty())
        {
            std::ranges::copy(bytes, m_bytes.begin() + static_cast<std::ptrdiff_t>(offset));
        }
        m_table.Write(access.key, access.address, bytes);
        ASSERT_EQ(m_storage, m_bytes);
    }

    MemoryTable m_table;
    std::map<uint32_t, MemoryRegionSpec> m_regions; ///< by key
    std::map<uint32_t, bool> m_invalidated;
    std::vector<uint32_t> m_keys; ///< all that ever were
    std::array<std::byte, BYTES> m_storage{};
    std::array<std::byte, BYTES> m_bytes{};
    std::array<uint64_t, 5> m_verdicts{}; ///< by AccessCheck
    std::mt19937_64 m_random{GetParam()};
};

TEST_P(MemoryTablePropertyTest, BehavesAsAListOfRegionsThatIsSearched)
{
    for (int step = 0; step < 40000 && !HasFatalFailure(); ++step)
    {
        // Few regions at a time, so that keys of gone ones and of new ones are both met. A slot is
        // used less than 256 times: then its first key would come again.
        const uint64_t what = Draw(100);
        if (what < 2 && m_keys.size() < 250)
        {
            Register();
        }
        else if (what < 3)
        {
            Deregister();
        }
        else if (what < 4)
        {
            Invalidate();
        }
        else if (what < 20)
        {
            MoveUnchecked();
        }
        else
        {
            CheckAndMove();
        }
        ASSERT_EQ(m_table.GetCount(), m_regions.size());
    }
    // The sequence was one that meets everything.
    EXPECT_EQ(m_keys.size(), 250U);
    for (uint64_t count : m_verdicts)
    {
        EXPECT_GT(count, 100U);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MemoryTablePropertyTest, testing::Range<uint64_t>(1, 9));

} // namespace
} // namespace ns3::rdma
