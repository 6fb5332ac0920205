// SPDX-License-Identifier: GPL-2.0-only
#include "tests/live/fake-fabric.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ns3::rdma
{

FakeFabric&
FakeFabric::Get()
{
    static FakeFabric* fabric = []()
    {
        const char* name = std::getenv("FAKE_VERBS_FABRIC");
        const int file = open(name == nullptr ? "/dev/shm/rdmasim-fake-fabric" : name,
                              O_RDWR | O_CREAT | O_CLOEXEC,
                              0600);
        if (file < 0 || ftruncate(file, sizeof(FakeFabric)) != 0)
        {
            std::abort();
        }
        void* memory =
            mmap(nullptr, sizeof(FakeFabric), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        return static_cast<FakeFabric*>(memory);
    }();
    return *fabric;
}

void
FakeFabric::Lock()
{
    const pid_t self = getpid();
    pid_t holder = 0;
    while (!lock.compare_exchange_weak(holder, self, std::memory_order_acquire))
    {
        if (holder != 0 && holder != self && kill(holder, 0) != 0 && errno == ESRCH)
        {
            lock.compare_exchange_strong(holder, 0);
        }
        holder = 0;
        sched_yield();
    }
}

void
FakeFabric::Unlock()
{
    lock.store(0, std::memory_order_release);
}

template <typename Slot, uint32_t COUNT>
uint32_t
FakeFabric::Take(Slot (&slots)[COUNT])
{
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        if (slots[i].owner == 0 || (kill(slots[i].owner, 0) != 0 && errno == ESRCH))
        {
            slots[i].owner = getpid();
            return i;
        }
    }
    std::abort();
}

template uint32_t FakeFabric::Take(QueuePair (&)[QUEUE_PAIRS]);
template uint32_t FakeFabric::Take(ReceiveQueue (&)[QUEUES]);
template uint32_t FakeFabric::Take(Queue (&)[QUEUES]);

FakeFabric::QueuePair*
FakeFabric::Find(uint32_t number)
{
    for (QueuePair& queuePair : queuePairs)
    {
        if (queuePair.owner != 0 && queuePair.number == number)
        {
            return &queuePair;
        }
    }
    return nullptr;
}

} // namespace ns3::rdma
