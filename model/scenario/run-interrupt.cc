// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-interrupt.h"

namespace ns3::rdma
{

namespace
{

volatile std::sig_atomic_t g_isRequested = 0;

void
OnSignal(int)
{
    g_isRequested = 1;
}

} // namespace

RunInterrupt::RunInterrupt()
{
    g_isRequested = 0;
    struct sigaction action
    {
    };
    action.sa_handler = OnSignal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &m_previous);
}

RunInterrupt::~RunInterrupt()
{
    sigaction(SIGINT, &m_previous, nullptr);
}

bool
RunInterrupt::IsRequested()
{
    return g_isRequested != 0;
}

} // namespace ns3::rdma
