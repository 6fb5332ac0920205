// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/trace-writer.h"

#include "tracefile/block-encoder.h"
#include "tracefile/thread-file-header.h"
#include "tracefile/trace-manifest.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

/** A reader holds a block of each thread: that many bytes for all of them together. */
constexpr std::size_t MEMORY_OF_READERS = 64u << 20;
constexpr std::size_t LEAST_BLOCK = 4096;
constexpr std::size_t MOST_BLOCK = 1u << 16;

/** Which folders belong together: how many, and the CRC of all names. */
std::string
MakeSetName(const Trace& trace)
{
    constexpr std::string_view DIGITS = "0123456789abcdef";
    constexpr int NIBBLES = 8;
    Crc32c crc;
    const auto add = [&crc](const std::string& text) {
        crc.Update(std::as_bytes(std::span{text.c_str(), text.size() + 1}));
    };
    for (const TraceProcess& process : trace.processes)
    {
        add(process.name);
    }
    for (const TraceThread& thread : trace.threads)
    {
        add(std::to_string(thread.process) + " " + thread.name);
    }
    std::string name = std::to_string(trace.processes.size()) + " ";
    for (int i = NIBBLES - 1; i >= 0; --i)
    {
        name += DIGITS[crc.Get() >> 4 * i & 0xf];
    }
    return name;
}

/** "out/" is "out": names are made from it. */
fs::path
WithoutSlash(const fs::path& folder)
{
    return folder.has_filename() ? folder : folder.parent_path();
}

/** Writes into a folder that goes away again unless all was well. */
class FolderWriter
{
  public:
    FolderWriter(Trace& trace, const std::string& folder)
        : m_trace{trace},
          m_folder{WithoutSlash(folder)},
          m_partial{m_folder.string() + ".partial"},
          m_set{MakeSetName(trace)}
    {
        const std::size_t share =
            MEMORY_OF_READERS / std::max<std::size_t>(1, trace.threads.size());
        m_buffer.resize(std::clamp(share, LEAST_BLOCK, MOST_BLOCK));
    }

    ~FolderWriter()
    {
        std::error_code ignored;
        fs::remove_all(m_partial, ignored);
    }

    FolderWriter(const FolderWriter&) = delete;
    FolderWriter& operator=(const FolderWriter&) = delete;

    Expected<WrittenTrace> Run()
    {
        std::error_code error;
        if (fs::exists(m_folder, error) && !fs::is_empty(m_folder, error))
        {
            return MakeError(m_folder, "is there already, and not empty", "a new folder");
        }
        fs::remove_all(m_partial, error);
        for (uint32_t i = 0; i < m_trace.processes.size(); ++i)
        {
            if (auto failure = WriteProcess(i))
            {
                return *failure;
            }
        }
        fs::remove(m_folder, error);
        fs::rename(m_partial, m_folder, error);
        if (error)
        {
            return MakeError(m_folder, "cannot be put in place: " + error.message());
        }
        return m_written;
    }

  private:
    static Diagnostic MakeError(const fs::path& file,
                                const std::string& message,
                                const std::string& expected = "")
    {
        return {file, 0, "", message, "", expected, "", {}};
    }

    std::optional<Diagnostic> WriteProcess(uint32_t index)
    {
        const TraceProcess& process = m_trace.processes[index];
        const fs::path folder = m_partial / ("process-" + std::to_string(index));
        std::error_code error;
        if (!fs::create_directories(folder, error))
        {
            return MakeError(folder, "cannot be made: " + error.message());
        }
        TraceManifest manifest;
        manifest.name = process.name;
        manifest.host = process.host;
        manifest.timing = m_trace.timing;
        manifest.clock = TraceClock{};
        manifest.originNs = process.originNs;
        manifest.gids = process.gids;
        manifest.set = m_set;
        manifest.process = index;
        manifest.notes = index == 0 ? m_trace.notes : std::vector<std::string>{};
        manifest.isClosed = true;
        for (uint32_t number = 0; number < m_trace.threads.size(); ++number)
        {
            TraceThread& thread = m_trace.threads[number];
            if (thread.process != index)
            {
                continue;
            }
            const std::string file = "thread-" + std::to_string(number) + ThreadFileHeader::SUFFIX;
            if (auto failure = WriteThread(folder / file, thread, number))
            {
                return failure;
            }
            manifest.threads.push_back({number, thread.order, file, thread.name});
            if (const auto& damage = thread.operations->GetDamage())
            {
                manifest.notes.push_back("ended by damage: " + ToString(*damage));
                m_written.damages.push_back(*damage);
            }
        }
        const std::string text = ToString(manifest);
        std::ofstream stream{folder / TraceManifest::FILE_NAME, std::ios::binary};
        return Write(stream, folder / TraceManifest::FILE_NAME, std::as_bytes(std::span{text}));
    }

    std::optional<Diagnostic> WriteThread(const fs::path& file,
                                          TraceThread& thread,
                                          uint32_t number)
    {
        ThreadFileHeader header;
        header.order = thread.order;
        header.number = number;
        header.name = thread.name;
        std::ofstream stream{file, std::ios::binary};
        std::array<std::byte, ThreadFileHeader::MAX_BYTES> bytes{};
        const std::size_t size = header.Emit(bytes);
        auto failure = Write(stream, file, std::span{bytes}.first(size));
        BlockEncoder encoder;
        encoder.Begin(m_buffer);
        TraceOperation operation;
        while (!failure && thread.operations->Next(operation))
        {
            failure = Append(encoder, operation, stream, file);
        }
        if (failure)
        {
            return failure;
        }
        failure = Write(stream, file, std::span{m_buffer}.first(encoder.Finish()));
        m_written.operations += encoder.GetNumber();
        stream.close();
        return stream ? failure
                      : MakeError(file, std::string{"cannot be written: "} + strerror(errno));
    }

    /** Adds an operation to the block, and writes the block before it that was full. */
    std::optional<Diagnostic> Append(BlockEncoder& encoder,
                                     const TraceOperation& operation,
                                     std::ofstream& stream,
                                     const fs::path& file)
    {
        if (encoder.Append(operation))
        {
            return std::nullopt;
        }
        auto failure = Write(stream, file, std::span{m_buffer}.first(encoder.Finish()));
        const std::size_t needed = BlockHeader::SIZE + BlockEncoder::GetBound(operation);
        if (needed > m_buffer.size())
        {
            m_buffer.resize(needed);
        }
        encoder.Begin(m_buffer);
        if (!failure && !encoder.Append(operation))
        {
            failure = MakeError(
                file, "operation " + std::to_string(encoder.GetNumber()) + " cannot be written");
            failure->got = "kind " + std::to_string(static_cast<int>(operation.kind)) + ", " +
                           std::to_string(operation.dependencies.size()) + " dependencies";
            failure->expected = "a kind of operation.h, in blocks of up to " +
                                std::to_string(BlockHeader::MAX_PAYLOAD) + " bytes";
        }
        return failure;
    }

    std::optional<Diagnostic> Write(std::ofstream& stream,
                                    const fs::path& file,
                                    std::span<const std::byte> bytes)
    {
        stream.write(reinterpret_cast<const char*>(bytes.data()),
                     static_cast<std::streamsize>(bytes.size()));
        m_written.bytes += bytes.size();
        stream.flush();
        if (!stream)
        {
            return MakeError(file, std::string{"cannot be written: "} + strerror(errno));
        }
        return std::nullopt;
    }

    Trace& m_trace;
    fs::path m_folder;
    fs::path m_partial;
    std::string m_set;
    std::vector<std::byte> m_buffer;
    WrittenTrace m_written;
};

} // namespace

Expected<WrittenTrace>
WriteTrace(Trace& trace, const std::string& folder)
{
    return FolderWriter{trace, folder}.Run();
}

} // namespace ns3::rdma
