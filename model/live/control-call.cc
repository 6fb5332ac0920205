// SPDX-License-Identifier: GPL-2.0-only
#include "live/control-call.h"

#include "live/device-hooks.h"
#include "live/recorder.h"

#include <algorithm>
#include <cerrno>

namespace ns3::rdma
{

namespace
{

/** The operation and the largest detail. */
constexpr uint32_t CONTROL_SLOTS = 1 + sizeof(DetailBytes::bytes) / sizeof(RawOperation);
static_assert(CONTROL_SLOTS <= ThreadLog::MAX_SLOTS);

/** The device that a new object is of. */
ObjectId
DeviceOf(const LiveObject& object)
{
    const bool hasOne = object.device != nullptr && object.kind != ObjectKind::DEVICE;
    return hasOne ? object.device->id : NO_OBJECT;
}

/** All of a control operation but its time, result, duration and kind. */
void
FillControl(RawOperation* slot,
            ControlVerb verb,
            const LiveObject& object,
            const DetailBytes& detail)
{
    *slot = {.opcode = static_cast<uint8_t>(verb),
             .flags = static_cast<uint8_t>(object.kind),
             .status = static_cast<uint8_t>(detail.kind),
             .slots = slot->slots,
             .object = object.id,
             .other = verb == ControlVerb::CREATE ? DeviceOf(object) : NO_OBJECT};
    std::memcpy(static_cast<void*>(slot + 1), detail.bytes.data(), detail.size);
}

} // namespace

int16_t
ToResult(int result)
{
    return static_cast<int16_t>(std::clamp<int>(result, INT16_MIN, INT16_MAX));
}

ControlCall::ControlCall(Scope scope) : m_log{GetThreadLog()}
{
    const bool wasInside = m_log != nullptr && m_log->m_isInsideVerbs;
    m_isInner = wasInside && scope != Scope::UNSEEN;
    if (m_log == nullptr || m_isInner)
    {
        return;
    }
    m_isOutermost = scope == Scope::VERBS;
    m_log->m_isInsideVerbs = m_isOutermost || wasInside;
    m_log->Open();
    m_slot = m_log->Reserve(CONTROL_SLOTS);
    m_begin = ReadTicks();
    m_slot->ticks = m_begin;
}

ControlCall::~ControlCall()
{
    if (m_slot == nullptr)
    {
        return;
    }
    const int error = errno;
    if (m_isOutermost)
    {
        m_log->m_isInsideVerbs = false;
    }
    m_log->Close();
    errno = error;
}

void
ControlCall::Fill(ControlVerb verb, const LiveObject& object, const DetailBytes& detail, int result)
{
    FillControl(m_slot, verb, object, detail);
    m_slot->ticks = m_begin;
    m_slot->result = ToResult(result);
    m_slot->bytes = ReadTicks() - m_begin;
    m_slot->kind = OperationKind::CONTROL;
}

LiveObject*
ControlCall::Create(const void* handle,
                    ObjectKind kind,
                    DeviceHooks* device,
                    const DetailBytes& detail)
{
    if (handle == nullptr || m_isInner)
    {
        return nullptr;
    }
    LiveObject* object = LiveObjects::Get().Add(handle, kind, device);
    object->created = detail;
    if (m_slot != nullptr)
    {
        Fill(ControlVerb::CREATE, *object, detail, 0);
    }
    return object;
}

void
ControlCall::Change(ControlVerb verb,
                    const LiveObject& object,
                    const DetailBytes& detail,
                    int result)
{
    if (m_slot != nullptr)
    {
        Fill(verb, object, detail, result);
    }
}

void
ControlCall::BeginDestroy(const void* handle)
{
    if (!m_isInner)
    {
        m_handle = handle;
        m_destroyed = LiveObjects::Get().Remove(handle);
    }
}

int
ControlCall::EndDestroy(int result)
{
    if (m_destroyed != nullptr)
    {
        const int error = errno;
        if (m_slot != nullptr)
        {
            Fill(ControlVerb::DESTROY, *m_destroyed, {}, result);
        }
        if (result != 0)
        {
            LiveObjects::Get().Restore(m_handle, std::move(m_destroyed));
        }
        m_destroyed.reset();
        errno = error;
    }
    return result;
}

void
ControlCall::Acknowledge(ObjectId queue, uint32_t count)
{
    if (m_slot != nullptr)
    {
        *m_slot = {.ticks = m_begin,
                   .kind = OperationKind::ACK_CQ_EVENTS,
                   .slots = m_slot->slots,
                   .object = queue,
                   .bytes = count};
    }
}

void
ControlCall::Wait(OperationKind kind, ObjectId object, int result)
{
    if (m_slot == nullptr)
    {
        return;
    }
    *m_slot = {
        .ticks = m_begin, .slots = m_slot->slots, .result = ToResult(result), .object = object};
    RawExtension extension{};
    extension.durationTicks = ReadTicks() - m_begin;
    std::memcpy(static_cast<void*>(m_slot + 1), &extension, sizeof(extension));
    m_slot->kind = kind;
}

void
RecordInherited(ThreadLog& log)
{
    const auto record =
        [&log](ControlVerb verb, const LiveObject& object, const DetailBytes& detail)
    {
        log.Open();
        RawOperation* slot = log.Reserve(CONTROL_SLOTS);
        FillControl(slot, verb, object, detail);
        slot->ticks = ReadTicks();
        slot->kind = OperationKind::CONTROL;
        log.Close();
    };
    for (const LiveObject* object : LiveObjects::Get().List())
    {
        record(ControlVerb::CREATE, *object, object->created);
        for (const DetailBytes& change : object->changes)
        {
            record(ControlVerb::MODIFY, *object, change);
        }
    }
}

} // namespace ns3::rdma
