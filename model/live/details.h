// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/control.h"

#include <infiniband/verbs.h>
#include <sys/socket.h>

namespace ns3::rdma
{

/** @name From what the verbs carry to what a trace says. @{ */
Gid ToGid(const ibv_gid& gid);

/** IPv4 as ::ffff:a.b.c.d; zero for other families and nullptr. */
Gid ToGid(const sockaddr* address);

/** In host order; 0 for families without and nullptr. */
uint16_t ToPort(const sockaddr* address);

QueuePairDetail ToDetail(const ibv_qp& queuePair, const ibv_qp_init_attr& attributes);
QueuePairChange ToChange(const ibv_qp_attr& attributes, int mask, int result);
AddressHandleDetail ToDetail(const ibv_pd* domain, const ibv_ah_attr& attributes);
MemoryRegionDetail ToDetail(const ibv_mr& region, uint64_t iova, unsigned access);
/** @} */

} // namespace ns3::rdma
