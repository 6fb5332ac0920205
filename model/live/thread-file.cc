// SPDX-License-Identifier: GPL-2.0-only
#include "live/thread-file.h"

#include "live/process-folder.h"
#include "live/tick-clock.h"
#include "tracefile/thread-file-header.h"

#include <array>

namespace ns3::rdma
{

int
ThreadFile::Make(const std::string& path, uint32_t number, const std::string& name)
{
    m_path = path;
    m_block.resize(BLOCK_BYTES);
    m_encoder.Begin(m_block);
    std::array<std::byte, ThreadFileHeader::MAX_BYTES> bytes{};
    ThreadFileHeader header;
    header.number = number;
    header.name = name;
    return AppendToFile(m_path, std::span{bytes}.first(header.Emit(bytes)));
}

int
ThreadFile::Append(const TraceOperation& operation)
{
    if (!m_encoder.Append(operation))
    {
        if (const int error = Flush(); error != 0)
        {
            return error;
        }
        m_encoder.Append(operation);
    }
    if (m_encoder.GetCount() == 1)
    {
        m_oldestNs = ReadSystemClock(CLOCK_MONOTONIC);
    }
    return 0;
}

int
ThreadFile::Flush()
{
    const std::size_t size = m_encoder.Finish();
    const int error = size == 0 ? 0 : AppendToFile(m_path, std::span{m_block}.first(size));
    m_encoder.Begin(m_block);
    return error;
}

} // namespace ns3::rdma
