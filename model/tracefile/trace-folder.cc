// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/trace-folder.h"

#include "tracefile/thread-file-stream.h"
#include "tracefile/trace-manifest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

/** A line for each thread of a very large schedule; what is longer is none of ours. */
constexpr std::size_t MAX_MANIFEST_BYTES = 64u << 20;

/** A folder of a process, with the threads that were asked for. */
struct FolderRequest
{
    fs::path folder;
    std::string onlyFile; ///< empty: all of them
};

/** The first bytes of a file. @error it cannot be opened */
Expected<std::string>
ReadFile(const fs::path& path, std::size_t most)
{
    std::ifstream stream{path, std::ios::binary};
    if (!stream)
    {
        return Diagnostic{path, 0, "", "cannot be opened", "", "", "", {}};
    }
    std::error_code error;
    const auto size = fs::file_size(path, error);
    std::string text(error ? 0 : std::min<std::uintmax_t>(most, size), '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

/** The same; of a file that cannot be opened, none. */
std::string
ReadBeginning(const fs::path& path, std::size_t most)
{
    const auto text = ReadFile(path, most);
    return text ? *text : "";
}

bool
IsThreadFile(const fs::path& path)
{
    return path.extension() == ThreadFileHeader::SUFFIX;
}

/** What is in a folder, by name; none if it cannot be read. */
std::vector<fs::path>
List(const fs::path& folder)
{
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator entry{folder, error}, end; !error && entry != end;
         entry.increment(error))
    {
        entries.push_back(entry->path());
    }
    // thread-2 before thread-10.
    std::ranges::sort(entries,
                      [](const fs::path& a, const fs::path& b)
                      {
                          const std::string left = a.filename();
                          const std::string right = b.filename();
                          return std::pair{left.size(), left} < std::pair{right.size(), right};
                      });
    return entries;
}

bool
IsProcessFolder(const fs::path& folder)
{
    std::error_code error;
    const auto entries = List(folder);
    return IsTraceManifest(ReadBeginning(folder / TraceManifest::FILE_NAME, 64)) ||
           std::ranges::any_of(entries, IsThreadFile);
}

/** The folders of processes right below a folder. */
std::vector<fs::path>
FindProcessFolders(const fs::path& folder)
{
    std::vector<fs::path> found;
    for (const fs::path& entry : List(folder))
    {
        std::error_code error;
        if (fs::is_directory(entry, error) && IsProcessFolder(entry))
        {
            found.push_back(entry);
        }
    }
    return found;
}

/** Opens folders one after the other into one trace. */
class FolderOpener
{
  public:
    Expected<Trace> Run(const std::vector<std::string>& paths)
    {
        std::vector<FolderRequest> requests;
        for (const std::string& path : paths)
        {
            Resolve(path, requests);
        }
        for (const FolderRequest& request : requests)
        {
            OpenFolder(request);
        }
        if (!m_errors.empty())
        {
            return m_errors;
        }
        GiveNumbers();
        return std::move(m_trace);
    }

  private:
    /** What belongs to the folders of one set; each thread's place in the trace follows. */
    struct SetOfFolders
    {
        std::shared_ptr<TraceNumbers> numbers{std::make_shared<TraceNumbers>()};
        std::vector<ThreadFileStream*> streams;
    };

    void Report(const std::string& file, const std::string& message, const std::string& got = "")
    {
        m_errors.push_back({file, 0, "", message, got, "", "", {}});
    }

    void Resolve(const std::string& path, std::vector<FolderRequest>& requests)
    {
        std::error_code error;
        const fs::path place{path};
        if (!fs::is_directory(place, error))
        {
            const std::string head = ReadBeginning(place, ThreadFileHeader::MAX_BYTES);
            if (!IsTraceFile(std::as_bytes(std::span{head})))
            {
                Report(path, "neither a manifest nor a thread file of a trace");
                return;
            }
            const bool isManifest = IsTraceManifest(head);
            requests.push_back({place.parent_path(), isManifest ? "" : place.filename().string()});
            return;
        }
        if (IsProcessFolder(place))
        {
            requests.push_back({place, ""});
            return;
        }
        const auto folders = FindProcessFolders(place);
        for (const fs::path& folder : folders)
        {
            requests.push_back({folder, ""});
        }
        if (folders.empty())
        {
            Report(path, "no folder of a trace: no manifest and no thread files are in it");
        }
    }

    /** @return nullopt: it is there, but cannot be read; this has been reported */
    std::optional<TraceManifest> ReadManifest(const fs::path& folder)
    {
        const fs::path path = folder / TraceManifest::FILE_NAME;
        std::error_code error;
        if (!fs::exists(path, error))
        {
            m_trace.notes.push_back(folder.string() +
                                    ": no manifest: thread files were found by name");
            return TraceManifest{};
        }
        const std::string text = ReadBeginning(path, MAX_MANIFEST_BYTES);
        auto manifest = ParseTraceManifest(path, text);
        if (!manifest)
        {
            m_errors.insert(m_errors.end(), manifest.Errors().begin(), manifest.Errors().end());
            return std::nullopt;
        }
        if (!manifest->isClosed)
        {
            m_trace.notes.push_back(folder.string() + ": the recording was not closed: the program "
                                                      "was killed, or still runs");
        }
        return *manifest;
    }

    /** Adds threads whose files are in the folder, but not in the manifest. */
    void FindUnnamedThreads(const fs::path& folder, TraceManifest& manifest)
    {
        std::set<std::string> named;
        std::set<uint32_t> numbers;
        for (const ManifestThread& thread : manifest.threads)
        {
            named.insert(thread.file);
            numbers.insert(thread.number);
        }
        std::string found;
        for (const fs::path& entry : List(folder))
        {
            const std::string file = entry.filename();
            if (!IsThreadFile(entry) || named.contains(file))
            {
                continue;
            }
            const std::string head = ReadBeginning(entry, ThreadFileHeader::MAX_BYTES);
            const auto header = ThreadFileHeader::Parse(entry, std::as_bytes(std::span{head}));
            const uint32_t next = numbers.empty() ? 0 : *numbers.rbegin() + 1;
            ManifestThread thread{next, ThreadOrder::PROGRAM, file, entry.stem()};
            if (header && !numbers.contains(header->number))
            {
                thread = {header->number, header->order, file, header->name};
            }
            numbers.insert(thread.number);
            manifest.threads.push_back(thread);
            found += (found.empty() ? "" : ", ") + file;
        }
        if (!found.empty())
        {
            m_trace.notes.push_back(folder.string() + ": not in the manifest: " + found);
        }
    }

    void OpenFolder(const FolderRequest& request)
    {
        auto manifest = ReadManifest(request.folder);
        if (!manifest || !CheckTiming(request.folder, *manifest))
        {
            return;
        }
        FindUnnamedThreads(request.folder, *manifest);
        std::ranges::stable_sort(manifest->threads, {}, &ManifestThread::number);
        for (const std::string& note : manifest->notes)
        {
            m_trace.notes.push_back(note);
        }
        const auto index = static_cast<uint32_t>(m_trace.processes.size());
        AddProcess(request.folder, *manifest);
        // Folders that were recorded alone refer to themselves only.
        SetOfFolders& set =
            m_sets[manifest->set.empty() ? "alone " + std::to_string(index) : manifest->set];
        if (!set.numbers->processes.emplace(manifest->process.value_or(index), index).second)
        {
            Report(request.folder, "this process of the trace is there already");
        }
        for (const ManifestThread& thread : manifest->threads)
        {
            if (request.onlyFile.empty() || request.onlyFile == thread.file)
            {
                AddThread(request.folder / thread.file, thread, *manifest, set);
            }
        }
    }

    bool CheckTiming(const fs::path& folder, const TraceManifest& manifest)
    {
        const bool isFirst = m_trace.processes.empty();
        if (!isFirst && m_trace.timing != manifest.timing)
        {
            Report(folder,
                   "its times are not of the kind of those before (timing in its manifest)");
            return false;
        }
        m_trace.timing = manifest.timing;
        return true;
    }

    void AddProcess(const fs::path& folder, const TraceManifest& manifest)
    {
        TraceProcess process;
        process.host = manifest.host;
        process.gids = manifest.gids;
        process.originNs = manifest.originNs;
        process.name = manifest.name;
        if (process.name.empty() && !manifest.executable.empty())
        {
            process.name = manifest.host + "/" + fs::path{manifest.executable}.filename().string() +
                           (manifest.pid ? ":" + std::to_string(*manifest.pid) : "");
        }
        if (process.name.empty())
        {
            process.name = fs::path{folder}.lexically_normal().filename();
        }
        // Names are unique in a trace.
        const std::string name = process.name;
        for (int copy = 2; !m_names.insert(process.name).second; ++copy)
        {
            process.name = name + " (" + std::to_string(copy) + ")";
        }
        m_trace.processes.push_back(process);
    }

    void AddThread(const fs::path& file,
                   const ManifestThread& thread,
                   const TraceManifest& manifest,
                   SetOfFolders& set)
    {
        const auto read = ReadFile(file, ThreadFileHeader::MAX_BYTES);
        auto header = read ? ThreadFileHeader::Parse(file, std::as_bytes(std::span{*read}))
                           : Expected<ThreadFileHeader>{read.Errors()};
        std::unique_ptr<ThreadFileStream> stream;
        if (header)
        {
            header->clock = manifest.clock.value_or(header->clock);
            stream = std::make_unique<ThreadFileStream>(file, *header);
        }
        else
        {
            stream = std::make_unique<ThreadFileStream>(file, header.Errors().front());
        }
        set.numbers->threads[thread.number] = static_cast<uint32_t>(m_trace.threads.size());
        set.streams.push_back(stream.get());
        const auto process = static_cast<uint32_t>(m_trace.processes.size() - 1);
        m_trace.threads.push_back({process, thread.name, thread.order, std::move(stream)});
    }

    void GiveNumbers()
    {
        for (const auto& [name, set] : m_sets)
        {
            for (ThreadFileStream* stream : set.streams)
            {
                stream->SetNumbers(set.numbers);
            }
        }
    }

    Trace m_trace;
    std::map<std::string, SetOfFolders> m_sets;
    std::set<std::string> m_names;
    Diagnostics m_errors;
};

} // namespace

bool
IsTraceFile(std::span<const std::byte> head)
{
    return ThreadFileHeader::IsOne(head) ||
           IsTraceManifest({reinterpret_cast<const char*>(head.data()), head.size()});
}

bool
IsTraceFolder(const std::string& path)
{
    std::error_code error;
    return fs::is_directory(path, error) &&
           (IsProcessFolder(path) || !FindProcessFolders(path).empty());
}

Expected<Trace>
OpenTraceFolders(const std::vector<std::string>& paths)
{
    return FolderOpener{}.Run(paths);
}

} // namespace ns3::rdma
