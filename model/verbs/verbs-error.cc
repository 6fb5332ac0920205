// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/verbs-error.h"

namespace ns3::rdma
{

std::string_view
ToString(VerbsError error)
{
    switch (error)
    {
    case VerbsError::NONE:
        return "no error";
    case VerbsError::INVALID_ARGUMENT:
        return "EINVAL: invalid argument";
    case VerbsError::QUEUE_FULL:
        return "ENOMEM: queue full";
    case VerbsError::LIMIT_EXCEEDED:
        return "ENOMEM: limit of the device exceeded";
    case VerbsError::NOT_FOUND:
        return "ENOENT: no such object";
    case VerbsError::BUSY:
        return "EBUSY: other objects use it";
    case VerbsError::NOT_SUPPORTED:
        return "EOPNOTSUPP: not supported";
    }
    return "unknown error";
}

} // namespace ns3::rdma
