// SPDX-License-Identifier: GPL-2.0-only
#include "live/real-function.h"

#include "live/recorder.h"

#include <cstdlib>
#include <dlfcn.h>

namespace ns3::rdma
{

namespace
{

/** Of the library that stands in for libibverbs.so.1; nullptr if there is none. */
using StandInFind = void* (*)(const char* name);

/** Whether two addresses lie in one library. */
bool
IsSameLibrary(void* left, void* right)
{
    Dl_info leftInfo{};
    Dl_info rightInfo{};
    return dladdr(left, &leftInfo) != 0 && dladdr(right, &rightInfo) != 0 &&
           leftInfo.dli_fbase == rightInfo.dli_fbase;
}

} // namespace

void*
FindRealFunction(const char* library, const char* name)
{
    void* found = dlsym(RTLD_NEXT, name);
    auto* standIn = dlsym(RTLD_DEFAULT, "rdmasim_stand_in_find");
    if (found != nullptr && standIn != nullptr && IsSameLibrary(found, standIn))
    {
        found = reinterpret_cast<StandInFind>(standIn)(name);
    }
    if (found == nullptr)
    {
        void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
        found = handle == nullptr ? nullptr : dlsym(handle, name);
    }
    if (found == nullptr)
    {
        Recorder::Say("the program calls what no library has", name, 0);
        std::abort();
    }
    return found;
}

} // namespace ns3::rdma
