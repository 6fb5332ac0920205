// SPDX-License-Identifier: GPL-2.0-only
#include "live/control-call.h"
#include "live/details.h"
#include "live/device-hooks.h"
#include "live/real-function.h"

// The header makes macros of these, which look at the access flags.
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

/**
 * @file
 * Memory regions.
 */
namespace
{

using namespace ns3::rdma;

constexpr const char* LIBRARY = "libibverbs.so.1";

/** Records a new region. */
ibv_mr*
RecordRegion(ControlCall& call, ibv_mr* region, uint64_t iova, int access)
{
    if (region != nullptr)
    {
        call.Create(region,
                    ObjectKind::MEMORY_REGION,
                    FindDeviceHooks(region->context),
                    ToBytes(ToDetail(*region, iova, static_cast<unsigned>(access))));
    }
    return region;
}

} // namespace

RDMASIM_HOOK ibv_mr*
ibv_reg_mr(ibv_pd* domain, void* address, size_t length, int access)
{
    RDMASIM_REAL(LIBRARY, ibv_reg_mr);
    ControlCall call;
    return RecordRegion(
        call, real(domain, address, length, access), reinterpret_cast<uintptr_t>(address), access);
}

RDMASIM_HOOK ibv_mr*
ibv_reg_mr_iova(ibv_pd* domain, void* address, size_t length, uint64_t iova, int access)
{
    RDMASIM_REAL(LIBRARY, ibv_reg_mr_iova);
    ControlCall call;
    return RecordRegion(call, real(domain, address, length, iova, access), iova, access);
}

RDMASIM_HOOK ibv_mr*
ibv_reg_mr_iova2(ibv_pd* domain, void* address, size_t length, uint64_t iova, unsigned access)
{
    RDMASIM_REAL(LIBRARY, ibv_reg_mr_iova2);
    ControlCall call;
    return RecordRegion(
        call, real(domain, address, length, iova, access), iova, static_cast<int>(access));
}

RDMASIM_HOOK ibv_mr*
ibv_reg_dmabuf_mr(ibv_pd* domain,
                  uint64_t offset,
                  size_t length,
                  uint64_t iova,
                  int file,
                  int access)
{
    RDMASIM_REAL(LIBRARY, ibv_reg_dmabuf_mr);
    ControlCall call;
    return RecordRegion(call, real(domain, offset, length, iova, file, access), iova, access);
}

RDMASIM_HOOK int
ibv_rereg_mr(ibv_mr* region, int flags, ibv_pd* domain, void* address, size_t length, int access)
{
    RDMASIM_REAL(LIBRARY, ibv_rereg_mr);
    ControlCall call;
    const int result = real(region, flags, domain, address, length, access);
    if (LiveObject* object = LiveObjects::Get().Find(region))
    {
        MemoryRegionDetail old;
        std::memcpy(&old, object->created.bytes.data(), sizeof(old));
        const bool changesAccess = (flags & IBV_REREG_MR_CHANGE_ACCESS) != 0;
        const bool moves = (flags & IBV_REREG_MR_CHANGE_TRANSLATION) != 0;
        const uint64_t iova = moves ? reinterpret_cast<uintptr_t>(address) : old.iova;
        const DetailBytes detail = ToBytes(
            ToDetail(*region, iova, changesAccess ? static_cast<unsigned>(access) : old.access));
        call.Change(ControlVerb::MODIFY, *object, detail, result);
        object->created = result == 0 ? detail : object->created;
    }
    return result;
}

RDMASIM_HOOK int
ibv_dereg_mr(ibv_mr* region)
{
    RDMASIM_REAL(LIBRARY, ibv_dereg_mr);
    ControlCall call;
    call.BeginDestroy(region);
    return call.EndDestroy(real(region));
}
