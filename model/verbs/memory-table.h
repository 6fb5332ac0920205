// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/access.h"
#include "verbs/scatter-gather.h"
#include "verbs/verbs-error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/** What an application registers. */
struct MemoryRegionSpec
{
    uint32_t protectionDomain{0};
    uint64_t address{0}; ///< virtual address of its first byte, as local and remote requests use it
    uint64_t length{0};  ///< bytes
    uint8_t access{0};   ///< AccessFlag bits; remote write and atomic need local write
    std::byte* storage{nullptr}; ///< its bytes, owned by the application; null: synthetic memory
    bool isInvalidatable{false}; ///< its keys may be invalidated (a fast-registered region)
};

/** A registered region: its keys. */
struct MemoryRegion
{
    uint32_t lkey{0};
    uint32_t rkey{0};
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

/**
 * The memory regions of a device: keys, bounds, rights, and the bytes behind them.
 *
 * Synthetic regions have no bytes: reading them gives zeros and writing does nothing, except that
 * the results of atomic operations are kept, so that counters and locks work everywhere.
 *
 * A plain value. Not modelled: memory windows, on-demand paging, zero-based addresses.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 10.6 (memory management)
 */
class MemoryTable
{
  public:
    /** @error INVALID_ARGUMENT rights that do not go together, wrap of the address space */
    VerbsError Register(const MemoryRegionSpec& spec, MemoryRegion& region);

    /** @error NOT_FOUND */
    VerbsError Deregister(uint32_t lkey);

    /** Whether a local or remote access is allowed; length 0 needs no key at all. */
    AccessCheck Check(uint32_t key,
                      uint32_t protectionDomain,
                      uint64_t address,
                      uint64_t length,
                      uint8_t rights) const;

    /** Checks each piece of a list; the first that fails decides. */
    AccessCheck CheckList(ScatterGatherList list, uint32_t protectionDomain, uint8_t rights) const;

    /** Copies bytes of a list, from an offset of the whole, into a packet. */
    void Gather(ScatterGatherList list, uint64_t offset, std::span<std::byte> to) const;

    /** Copies a packet's bytes into a list, from an offset of the whole. */
    void Scatter(ScatterGatherList list, uint64_t offset, std::span<const std::byte> from);

    /** Copies between a packet and a region, after a check. */
    void Write(uint32_t rkey, uint64_t address, std::span<const std::byte> from);
    void Read(uint32_t rkey, uint64_t address, std::span<std::byte> to) const;

    /** The 64-bit word at an address, in host order; after a check. */
    uint64_t LoadWord(uint32_t key, uint64_t address) const;
    void StoreWord(uint32_t key, uint64_t address, uint64_t value);

    /** Whether the R_Key names a region of the domain that may be invalidated. */
    bool CanInvalidate(uint32_t rkey, uint32_t protectionDomain) const;

    /** Its keys are of no use from now on. */
    void Invalidate(uint32_t rkey);

    uint32_t GetCount() const; ///< registered regions
};

} // namespace ns3::rdma
