// SPDX-License-Identifier: GPL-2.0-only
#include "live/live-object.h"

#include "live/extended-queue-pair.h"
#include "live/extended-queue.h"

#include <algorithm>
#include <tuple>

namespace ns3::rdma
{

LiveObject::LiveObject() = default;
LiveObject::~LiveObject() = default;

LiveObjects&
LiveObjects::Get()
{
    // Never destroyed: destructors of other libraries may still use verbs.
    static LiveObjects* objects = new LiveObjects;
    return *objects;
}

LiveObject*
LiveObjects::Add(const void* handle, ObjectKind kind, DeviceHooks* device)
{
    auto object = std::make_unique<LiveObject>();
    object->kind = kind;
    object->device = device;
    object->id = m_next[static_cast<std::size_t>(kind)].fetch_add(1, std::memory_order_relaxed);
    LiveObject* result = object.get();
    Restore(handle, std::move(object));
    return result;
}

std::unique_ptr<LiveObject>
LiveObjects::Remove(const void* handle)
{
    return std::unique_ptr<LiveObject>{
        reinterpret_cast<LiveObject*>(m_objects.Erase(reinterpret_cast<uintptr_t>(handle)))};
}

void
LiveObjects::Restore(const void* handle, std::unique_ptr<LiveObject> object)
{
    m_objects.Set(reinterpret_cast<uintptr_t>(handle),
                  reinterpret_cast<uintptr_t>(object.release()));
}

std::vector<const LiveObject*>
LiveObjects::List()
{
    std::vector<const LiveObject*> objects;
    m_objects.Visit([&objects](uint64_t value)
                    { objects.push_back(reinterpret_cast<const LiveObject*>(value)); });
    std::sort(objects.begin(),
              objects.end(),
              [](const LiveObject* left, const LiveObject* right)
              { return std::tie(left->kind, left->id) < std::tie(right->kind, right->id); });
    return objects;
}

void
LiveObjects::Lock()
{
    m_objects.GetMutex().lock();
    m_numbers.GetMutex().lock();
}

void
LiveObjects::Unlock()
{
    m_numbers.GetMutex().unlock();
    m_objects.GetMutex().unlock();
}

} // namespace ns3::rdma
