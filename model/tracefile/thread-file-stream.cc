// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/thread-file-stream.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

/** A file that is closed when the object goes. */
class OpenFile
{
  public:
    explicit OpenFile(const std::string& path)
        : m_descriptor{open(path.c_str(), O_RDONLY | O_CLOEXEC)}
    {
    }

    ~OpenFile()
    {
        if (m_descriptor >= 0)
        {
            close(m_descriptor);
        }
    }

    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    int Get() const
    {
        return m_descriptor;
    }

  private:
    int m_descriptor;
};

/** @return whether all bytes could be read */
bool
ReadAt(int file, uint64_t offset, std::span<std::byte> bytes)
{
    while (!bytes.empty())
    {
        const ssize_t count = pread(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
        {
            continue;
        }
        if (count <= 0)
        {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<uint64_t>(count);
    }
    return true;
}

std::string
ToHex(uint32_t value)
{
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "0x%08x", value);
    return text.data();
}

std::string
CountOf(uint64_t number, const std::string& what)
{
    return std::to_string(number) + " " + what;
}

} // namespace

ThreadFileStream::ThreadFileStream(std::string file, const ThreadFileHeader& header)
    : m_file{std::move(file)},
      m_clock{header.clock},
      m_offset{header.GetSize()}
{
}

ThreadFileStream::ThreadFileStream(std::string file, Diagnostic damage) : m_file{std::move(file)}
{
    SetDamage(std::move(damage));
}

bool
ThreadFileStream::Next(TraceOperation& operation)
{
    // What follows damage cannot be told from it, even if the block is whole.
    while (!GetDamage().has_value() && m_decoder.GetLeft() == 0)
    {
        if (!LoadBlock())
        {
            return false;
        }
    }
    if (GetDamage().has_value())
    {
        return false;
    }
    if (!m_decoder.Next(operation))
    {
        return FailRecord();
    }
    operation.timeNs = m_clock.ToNs(operation.timeNs);
    operation.durationNs = m_clock.SpanToNs(operation.durationNs);
    return m_numbers == nullptr || Translate(operation);
}

bool
ThreadFileStream::Fail(const std::string& message,
                       const std::string& got,
                       const std::string& expected)
{
    auto damage = MakeOffsetDiagnostic(
        m_file, m_offset, message + " (" + CountOf(m_operations, "operations before it") + ")");
    damage.got = got;
    damage.expected = expected;
    SetDamage(std::move(damage));
    return false;
}

bool
ThreadFileStream::FailRecord()
{
    SetDamage(MakeOffsetDiagnostic(
        m_file, m_payloadOffset + m_decoder.GetErrorOffset(), m_decoder.GetError()));
    return false;
}

bool
ThreadFileStream::LoadBlock()
{
    if (!m_decoder.GetError().empty())
    {
        return FailRecord();
    }
    const OpenFile file{m_file};
    if (file.Get() < 0)
    {
        return Fail("cannot be opened", std::strerror(errno), "");
    }
    return ReadBlock(file.Get());
}

bool
ThreadFileStream::ReadBlock(int file)
{
    struct stat status = {};
    if (fstat(file, &status) != 0)
    {
        return Fail("cannot be read", std::strerror(errno), "");
    }
    const auto size = static_cast<uint64_t>(status.st_size);
    const uint64_t left = size > m_offset ? size - m_offset : 0;
    if (left == 0)
    {
        return false;
    }
    std::array<std::byte, BlockHeader::SIZE> head{};
    if (left < head.size())
    {
        return Fail("the file ends inside the header of a block",
                    CountOf(left, "bytes"),
                    CountOf(head.size(), "bytes"));
    }
    if (!ReadAt(file, m_offset, head))
    {
        return Fail("cannot be read", std::strerror(errno), "");
    }
    const BlockHeader header = BlockHeader::Parse(head);
    if (!CheckBlock(head, left - head.size()))
    {
        return false;
    }
    m_payload.resize(header.payloadBytes);
    if (!ReadAt(file, m_offset + head.size(), m_payload))
    {
        return Fail("cannot be read", std::strerror(errno), "");
    }
    const uint32_t crc = BlockHeader::ComputeCrc(head, m_payload);
    if (crc != header.crc)
    {
        return Fail("the block is damaged: its CRC is wrong", ToHex(crc), ToHex(header.crc));
    }
    if (header.firstNumber != m_operations)
    {
        return Fail("operations are missing here",
                    "a block from operation " + std::to_string(header.firstNumber),
                    "one from operation " + std::to_string(m_operations));
    }
    m_decoder.Begin(header, m_payload);
    m_payloadOffset = m_offset + head.size();
    m_offset = m_payloadOffset + header.payloadBytes;
    m_operations += header.operations;
    return true;
}

bool
ThreadFileStream::CheckBlock(std::span<const std::byte> head, uint64_t left)
{
    if (std::ranges::all_of(head, [](std::byte byte) { return byte == std::byte{0}; }))
    {
        return Fail(
            "zeros where a block should begin: the file was not written to its end", "", "");
    }
    if (const auto marker = LoadLittle<uint32_t>(head, 0); marker != BlockHeader::MARKER)
    {
        return Fail("no block begins here", ToHex(marker), ToHex(BlockHeader::MARKER));
    }
    const BlockHeader header = BlockHeader::Parse(head);
    if (header.payloadBytes > BlockHeader::MAX_PAYLOAD)
    {
        return Fail("a block of an impossible length",
                    CountOf(header.payloadBytes, "bytes"),
                    CountOf(BlockHeader::MAX_PAYLOAD, "bytes or fewer"));
    }
    if (header.payloadBytes > left)
    {
        return Fail("the file ends inside a block",
                    CountOf(left, "bytes"),
                    CountOf(header.payloadBytes, "bytes"));
    }
    if (header.operations == 0)
    {
        return Fail("a block without operations", "", "");
    }
    return true;
}

bool
ThreadFileStream::Translate(TraceOperation& operation)
{
    const auto fail = [this](const std::string& what, uint32_t number)
    {
        SetDamage(MakeOffsetDiagnostic(m_file,
                                       m_payloadOffset,
                                       "a block names " + what + " " + std::to_string(number) +
                                           ", which is not among the opened files"));
        return false;
    };
    if (operation.dependencies.empty() && operation.kind != OperationKind::CONTROL)
    {
        return true;
    }
    m_dependencies.assign(operation.dependencies.begin(), operation.dependencies.end());
    for (Dependency& dependency : m_dependencies)
    {
        const auto found = m_numbers->threads.find(dependency.thread);
        if (found == m_numbers->threads.end())
        {
            return fail("thread", dependency.thread);
        }
        dependency.thread = found->second;
    }
    operation.dependencies = m_dependencies;
    if (operation.kind != OperationKind::CONTROL)
    {
        return true;
    }
    if (auto* connection = std::get_if<ConnectionDetail>(&operation.control.detail))
    {
        const auto found = m_numbers->processes.find(connection->peerProcess);
        if (found == m_numbers->processes.end())
        {
            return fail("process", connection->peerProcess);
        }
        connection->peerProcess = found->second;
    }
    return true;
}

} // namespace ns3::rdma
