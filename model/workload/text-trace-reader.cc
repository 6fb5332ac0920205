// SPDX-License-Identifier: GPL-2.0-only
#include "workload/text-trace-reader.h"

#include "topology/text-reader.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TextTraceReader);

TypeId
TextTraceReader::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::TextTraceReader"}.SetParent<TraceReader>().SetGroupName("Rdma");
    return tid;
}

TraceReader::Match
TextTraceReader::DoProbe(const std::string&, std::span<const std::byte> head) const
{
    std::string_view text{reinterpret_cast<const char*>(head.data()), head.size()};
    if (text.empty() || text.find('\0') != std::string_view::npos)
    {
        return Match::NO;
    }
    const bool isCut = head.size() >= PROBE_BYTES;
    return DoProbeText(isCut ? text.substr(0, text.rfind('\n') + 1) : text);
}

Expected<Trace>
TextTraceReader::DoOpen(const std::vector<std::string>& paths) const
{
    const auto path = TakeOnlyPath(paths);
    if (!path)
    {
        return path.Errors();
    }
    const auto text = ReadTextFile(*path);
    if (!text)
    {
        return text.Errors();
    }
    return DoParse(*text, *path);
}

Expected<std::string>
TakeOnlyPath(const std::vector<std::string>& paths)
{
    if (paths.size() == 1)
    {
        return paths.front();
    }
    Diagnostic diagnostic;
    diagnostic.file = paths.empty() ? "" : paths[1];
    diagnostic.message = "a file of this format is a whole trace";
    diagnostic.got = std::to_string(paths.size()) + " files";
    diagnostic.expected = "one file";
    return diagnostic;
}

int64_t
RoundToNs(uint64_t ps, uint64_t& inexact)
{
    constexpr uint64_t PS_PER_NS = 1000;
    inexact += ps % PS_PER_NS != 0 ? 1 : 0;
    return static_cast<int64_t>(ps / PS_PER_NS + (ps % PS_PER_NS >= PS_PER_NS / 2 ? 1 : 0));
}

void
NoteRounding(uint64_t inexact, std::vector<std::string>& notes)
{
    if (inexact > 0)
    {
        notes.push_back(std::to_string(inexact) +
                        " start times were rounded to the nearest nanosecond");
    }
}

} // namespace ns3::rdma
