// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/access.h"
#include "verbs/scatter-gather.h"
#include "verbs/verbs-error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** What an application registers. */
struct MemoryRegionSpec
{
    uint32_t protectionDomain{0};
    uint64_t address{0}; ///< virtual address of its first byte, as local and remote requests use it
    uint64_t length{0};  ///< bytes; 0: no access but of zero length is inside
    uint8_t access{0};   ///< AccessFlag bits; remote write and atomic need local write
    std::byte* storage{nullptr}; ///< its bytes, owned by the application; null: synthetic memory
    bool isInvalidatable{false}; ///< its keys may be invalidated (a fast-registered region)
};

/**
 * A registered region: its keys.
 *
 * @choice both keys are the same number, and the R_Key is 0 without a remote right, as Linux's rxe
 * does it. 0 is never a key.
 */
struct MemoryRegion
{
    uint32_t lkey{0};
    uint32_t rkey{0};

    bool operator==(const MemoryRegion&) const = default;
};

/** How a check of a memory access ended, in the order of the checks. */
enum class AccessCheck : uint8_t
{
    OK,
    BAD_KEY,       ///< no region has the key, or it was invalidated
    WRONG_DOMAIN,  ///< the region belongs to another protection domain
    NO_RIGHT,      ///< the region does not grant the access
    OUT_OF_BOUNDS, ///< not wholly inside the region
};

/** One access, local or remote. */
struct MemoryAccess
{
    uint32_t key{0}; ///< L_Key or R_Key
    uint32_t protectionDomain{0};
    uint64_t address{0};
    uint64_t length{0}; ///< bytes
    uint8_t rights{0};  ///< AccessFlag bits that the region must grant; 0: local read
};

/**
 * The memory regions of a device: keys, bounds, rights, and the bytes behind them.
 *
 * A key is a slot's index (upper 24 bits) with a variant (lower 8 bits) that changes with each
 * registration in the slot: the key of a region that is gone is refused until its slot has been
 * used 255 times more. Looking a key up is one access of an array.
 *
 * Synthetic regions have no bytes: reading them gives zeros and writing does nothing, except that
 * the words that StoreWord has put there are kept, and are read and overwritten as memory is. So
 * counters and locks work everywhere. The words go with their region.
 *
 * A plain value. Not modelled: memory windows, on-demand paging, zero-based addresses.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 10.6 (memory management)
 */
class MemoryTable
{
  public:
    static constexpr uint32_t VARIANT_BITS = 8;
    /** Index 0 is no region's, so that key 0 is none. */
    static constexpr uint32_t MAX_REGIONS = (1U << (32 - VARIANT_BITS)) - 1;

    /**
     * @error INVALID_ARGUMENT rights that do not go together (ibv_reg_mr(3)), wrap of the address
     *        space
     * @error LIMIT_EXCEEDED MAX_REGIONS are registered
     */
    VerbsError Register(const MemoryRegionSpec& spec, MemoryRegion& region);

    /** @error NOT_FOUND */
    VerbsError Deregister(uint32_t lkey);

    /** Whether a local or remote access is allowed; length 0 needs no key at all. */
    AccessCheck Check(const MemoryAccess& access) const
    {
        if (access.length == 0)
        {
            return AccessCheck::OK;
        }
        const Slot* slot = Find(access.key);
        if (!slot)
        {
            return AccessCheck::BAD_KEY;
        }
        if (slot->protectionDomain != access.protectionDomain)
        {
            return AccessCheck::WRONG_DOMAIN;
        }
        if ((slot->access & access.rights) != access.rights)
        {
            return AccessCheck::NO_RIGHT;
        }
        return slot->Contains(access.address, access.length) ? AccessCheck::OK
                                                             : AccessCheck::OUT_OF_BOUNDS;
    }

    /** Checks each piece of a list; the first that fails decides. */
    AccessCheck CheckList(ScatterGatherList list, uint32_t protectionDomain, uint8_t rights) const;

    /**
     * Copies bytes of a list, from an offset of the whole, into a packet.
     *
     * Pieces whose region is gone since the check read as zeros, and so does what is behind the
     * list's end. That holds for Read too.
     */
    void Gather(ScatterGatherList list, uint64_t offset, std::span<std::byte> to) const;

    /**
     * Copies a packet's bytes into a list, from an offset of the whole.
     *
     * Bytes for a region that is gone since the check, or for behind the list's end, are dropped.
     * That holds for Write too.
     */
    void Scatter(ScatterGatherList list, uint64_t offset, std::span<const std::byte> from);

    /** Copies between a packet and a region, after a check. */
    void Write(uint32_t rkey, uint64_t address, std::span<const std::byte> from);
    void Read(uint32_t rkey, uint64_t address, std::span<std::byte> to) const;

    /** The 64-bit word at an address, in host order; after a check. */
    uint64_t LoadWord(uint32_t key, uint64_t address) const;

    /** Stores a word; in synthetic memory it is kept. An atomic's result is stored so, too. */
    void StoreWord(uint32_t key, uint64_t address, uint64_t value);

    /** Whether the R_Key names a region of the domain that may be invalidated. */
    bool CanInvalidate(uint32_t rkey, uint32_t protectionDomain) const;

    /** Its keys are of no use from now on; the region remains until it is deregistered. */
    void Invalidate(uint32_t rkey);

    uint32_t GetCount() const; ///< registered regions

    /** Registered regions of a protection domain. Looks at all slots. */
    uint32_t GetCount(uint32_t protectionDomain) const;

  private:
    struct Slot
    {
        uint64_t address{0};
        uint64_t length{0};
        std::byte* storage{nullptr};
        uint32_t key{0};
        uint32_t protectionDomain{0};
        uint8_t access{0};
        bool isInvalidatable{false};
        bool isRegistered{false};
        bool isValid{false}; ///< registered and not invalidated

        bool Contains(uint64_t first, uint64_t bytes) const
        {
            // Sums could wrap. An address below the region's gives a distance of at least
            // 2^64 - address, which a region that does not wrap is too short for.
            return bytes <= length && first - address <= length - bytes;
        }
    };

    static constexpr uint64_t WORD_BYTES = 8;
    using Word = std::array<std::byte, WORD_BYTES>;
    using WordKey = std::pair<uint32_t, uint64_t>; ///< index of the slot, address rounded down

    const Slot* Find(uint32_t key) const
    {
        const uint32_t index = key >> VARIANT_BITS;
        if (index >= m_slots.size() || m_slots[index].key != key || !m_slots[index].isValid)
        {
            return nullptr;
        }
        return &m_slots[index];
    }

    void ReadWords(uint32_t key, uint64_t address, std::span<std::byte> to) const;
    void WriteWords(uint32_t key, uint64_t address, std::span<const std::byte> from);

    std::vector<Slot> m_slots{1}; ///< by index; the first is never used
    std::vector<uint32_t> m_freeSlots;
    std::map<WordKey, Word> m_words; ///< of synthetic regions
    uint32_t m_count{0};
};

} // namespace ns3::rdma
