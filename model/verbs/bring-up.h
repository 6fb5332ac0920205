// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/verbs-device.h"

namespace ns3::rdma
{

/**
 * Brings a queue pair from RESET through INIT and RTR to RTS, as every program does.
 *
 * @param attributes all of them; its state is not looked at
 * @return what the device refused; nullopt: nothing, the queue pair is ready to send
 */
std::optional<Diagnostic> BringToReadyToSend(VerbsDevice& device,
                                             Qpn qpn,
                                             QueuePairAttributes attributes,
                                             SimTime now);

/**
 * Brings a queue pair from RESET towards RTS, as far as the state of the attributes says.
 *
 * @param attributes with state INIT, RTR or RTS
 * @return what the device refused; nullopt: nothing
 */
std::optional<Diagnostic> BringUp(VerbsDevice& device,
                                  Qpn qpn,
                                  QueuePairAttributes attributes,
                                  SimTime now);

} // namespace ns3::rdma
