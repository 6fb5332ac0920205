// SPDX-License-Identifier: GPL-2.0-only
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <infiniband/verbs.h>

/**
 * @file
 * A verbs program that is not linked with libibverbs: it loads the library itself and asks it for
 * symbols by their versions, as NCCL does.
 */
namespace
{

void*
Find(void* library, const char* name)
{
    void* found = library == nullptr ? nullptr : dlvsym(library, name, "IBVERBS_1.1");
    if (found == nullptr)
    {
        fprintf(stderr, "%s: not found\n", name);
        exit(1);
    }
    return found;
}

} // namespace

int
main()
{
    void* library = dlopen("libibverbs.so.1", RTLD_NOW);
    auto* list =
        reinterpret_cast<decltype(&ibv_get_device_list)>(Find(library, "ibv_get_device_list"));
    auto* open = reinterpret_cast<decltype(&ibv_open_device)>(Find(library, "ibv_open_device"));
    auto* allocate = reinterpret_cast<decltype(&ibv_alloc_pd)>(Find(library, "ibv_alloc_pd"));
    auto* create = reinterpret_cast<decltype(&ibv_create_cq)>(Find(library, "ibv_create_cq"));
    int count = 0;
    ibv_device** devices = list(&count);
    if (count == 0)
    {
        fprintf(stderr, "no device\n");
        return 1;
    }
    ibv_context* context = open(devices[0]);
    ibv_pd* domain = allocate(context);
    ibv_cq* queue = create(context, 10, nullptr, nullptr, 0);
    ibv_wc entry{};
    printf("%d\n", domain == nullptr ? -1 : ibv_poll_cq(queue, 1, &entry));
    return 0;
}
