// SPDX-License-Identifier: GPL-2.0-only
#include "live/stand-in.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

extern "C" __attribute__((visibility("hidden"))) void* rdmasim_stand_in_slots[];
extern "C" __attribute__((visibility("default"))) void* rdmasim_stand_in_find(const char* name);

namespace
{

using namespace ns3::rdma;

constexpr const char* FILE_NAME = "libibverbs.so.1";

void* g_library = nullptr;

/** Where a call of a symbol ends that the real library does not have. */
void
EndProgram()
{
    constexpr char TEXT[] =
        "rdmasim record: the program calls what libibverbs.so.1 does not have\n";
    static_cast<void>(!write(STDERR_FILENO, TEXT, sizeof(TEXT) - 1));
    std::abort();
}

/** The real library: as the program would find it, or where it was when this was built. */
void*
OpenLibrary()
{
    const char* words = std::getenv("LD_LIBRARY_PATH");
    std::string paths = words == nullptr ? "" : words;
    while (!paths.empty())
    {
        const std::size_t end = paths.find_first_of(":;");
        const std::string file = paths.substr(0, end) + "/" + FILE_NAME;
        if (void* library = end == 0 ? nullptr : dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
        {
            return library;
        }
        paths = end == std::string::npos ? "" : paths.substr(end + 1);
    }
    void* library = dlopen(STAND_IN_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    constexpr std::array FOLDERS{"/lib64/", "/usr/lib64/", "/lib/", "/usr/lib/"};
    for (const char* folder : FOLDERS)
    {
        const std::string file = std::string{folder} + FILE_NAME;
        library = library != nullptr ? library : dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

/** Whether an address lies in this library. */
bool
IsOwn(void* address)
{
    Dl_info own{};
    Dl_info info{};
    return dladdr(reinterpret_cast<void*>(&IsOwn), &own) != 0 && dladdr(address, &info) != 0 &&
           own.dli_fbase == info.dli_fbase;
}

/** Where a call goes on: to what was loaded before this, or to the real library. */
void*
FindTarget(const StandInSymbol& symbol)
{
    void* before = symbol.isDefault ? dlsym(RTLD_DEFAULT, symbol.name) : nullptr;
    if (before != nullptr && !IsOwn(before))
    {
        return before;
    }
    void* real = g_library == nullptr ? nullptr : dlvsym(g_library, symbol.name, symbol.version);
    return real != nullptr ? real : reinterpret_cast<void*>(&EndProgram);
}

__attribute__((constructor)) void
FillSlots()
{
    for (unsigned i = 0; i < STAND_IN_COUNT; ++i)
    {
        rdmasim_stand_in_slots[i] = reinterpret_cast<void*>(&EndProgram);
    }
    g_library = OpenLibrary();
    for (unsigned i = 0; i < STAND_IN_COUNT; ++i)
    {
        if (STAND_IN_SYMBOLS[i].isFunction)
        {
            rdmasim_stand_in_slots[i] = FindTarget(STAND_IN_SYMBOLS[i]);
        }
    }
}

} // namespace

/** What the real library has by a name; for the recorder, whose hooks are what slots point to. */
void*
rdmasim_stand_in_find(const char* name)
{
    for (unsigned i = 0; i < STAND_IN_COUNT; ++i)
    {
        const StandInSymbol& symbol = STAND_IN_SYMBOLS[i];
        if (g_library != nullptr && symbol.isDefault && std::strcmp(symbol.name, name) == 0)
        {
            return dlvsym(g_library, name, symbol.version);
        }
    }
    return nullptr;
}
