// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/block-decoder.h"
#include "tracefile/thread-file-header.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Where the threads and processes that files name are in an opened trace. */
struct TraceNumbers
{
    std::map<uint32_t, uint32_t> threads;   ///< a file's number, and the index in Trace::threads
    std::map<uint32_t, uint32_t> processes; ///< the same of processes
};

/**
 * Reads the operations of one thread file, a block at a time.
 *
 * The file is open only while a block is read: a trace may have more threads than a process may
 * have files. Memory is that of the largest block.
 */
class ThreadFileStream final : public OperationStream
{
  public:
    /** @param file its header has been read */
    ThreadFileStream(std::string file, const ThreadFileHeader& header);

    /** Of a file whose beginning cannot be read: Next tells it. */
    ThreadFileStream(std::string file, Diagnostic damage);

    /** Translates dependencies and peers; without it they stay as they are in the file. */
    void SetNumbers(std::shared_ptr<const TraceNumbers> numbers)
    {
        m_numbers = std::move(numbers);
    }

    bool Next(TraceOperation& operation) override;

  private:
    /** @return false: the file has ended, or is damaged */
    bool LoadBlock();
    bool ReadBlock(int file);
    bool CheckBlock(std::span<const std::byte> head, uint64_t left);
    bool Fail(const std::string& message, const std::string& got, const std::string& expected);
    bool FailRecord();
    bool Translate(TraceOperation& operation);

    std::string m_file;
    TraceClock m_clock;
    std::shared_ptr<const TraceNumbers> m_numbers;
    BlockDecoder m_decoder;
    std::vector<std::byte> m_payload;
    std::vector<Dependency> m_dependencies; ///< translated
    uint64_t m_offset{0};                   ///< of the next block
    uint64_t m_payloadOffset{0};            ///< of the block that the decoder has
    uint64_t m_operations{0};               ///< before the next block
};

} // namespace ns3::rdma
