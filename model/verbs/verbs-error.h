// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ns3::rdma
{

/** Why a verb was refused; each stands for the errno that rdma-core returns. */
enum class VerbsError : uint8_t
{
    NONE,
    INVALID_ARGUMENT, ///< EINVAL: a value, state, attribute or length that is not allowed
    QUEUE_FULL,       ///< ENOMEM: no free entry in the queue
    LIMIT_EXCEEDED,   ///< ENOMEM: more objects or entries than the device has
    NOT_FOUND,        ///< ENOENT: no such object
    BUSY,             ///< EBUSY: other objects still use it
    NOT_SUPPORTED,    ///< EOPNOTSUPP: not modelled, or not with this transport
};

/** The error as text: the errno's name and its meaning. */
std::string_view ToString(VerbsError error);

/** How posting a list ended: all before badRequest are posted, it and all behind it are not. */
struct PostResult
{
    VerbsError error{VerbsError::NONE};
    std::size_t badRequest{0}; ///< index into the list (bad_wr); only with an error

    bool IsOk() const
    {
        return error == VerbsError::NONE;
    }

    bool operator==(const PostResult&) const = default;
};

} // namespace ns3::rdma
