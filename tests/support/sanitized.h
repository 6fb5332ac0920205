// SPDX-License-Identifier: GPL-2.0-only
#pragma once

extern "C" __attribute__((weak)) void __asan_init();

namespace ns3::rdma
{

/**
 * Whether the model under test has been compiled with AddressSanitizer, whose heap is its own:
 * what the allocator does then says nothing of the model.
 */
inline bool
IsSanitized()
{
    return &__asan_init != nullptr;
}

} // namespace ns3::rdma
