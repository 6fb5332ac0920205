// SPDX-License-Identifier: GPL-2.0-only
#include "workload/trace-reader.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TraceReader);

TypeId
TraceReader::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::TraceReader"}.SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

TraceReader::Match
TraceReader::Probe(const std::string& path, std::span<const std::byte> head) const
{
    return DoProbe(path, head);
}

Expected<Trace>
TraceReader::Open(const std::vector<std::string>& paths) const
{
    return DoOpen(paths);
}

namespace
{

constexpr std::string_view NOUN = "TraceReader";

/** "HtsimMatrixTraceReader" is "htsim-matrix"; "UdpPort" is "udp_port". */
std::string
SplitName(std::string_view name, char separator)
{
    std::string words;
    for (const char letter : name)
    {
        if (std::isupper(static_cast<unsigned char>(letter)) != 0 && !words.empty())
        {
            words += separator;
        }
        words += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return words;
}

/** All readers, by name. */
std::map<std::string, TypeId>
GetReaders()
{
    std::map<std::string, TypeId> readers;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(TraceReader::GetTypeId()) && type.HasConstructor())
        {
            std::string name = type.GetName();
            name.erase(0, name.rfind(':') + 1);
            if (name.ends_with(NOUN))
            {
                name.erase(name.size() - NOUN.size());
            }
            readers[SplitName(name, '-')] = type;
        }
    }
    return readers;
}

Ptr<TraceReader>
MakeReader(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<TraceReader>();
}

Diagnostic
MakeDiagnostic(std::string file, std::string key, std::string message, std::string got = "")
{
    Diagnostic diagnostic;
    diagnostic.file = std::move(file);
    diagnostic.key = std::move(key);
    diagnostic.message = std::move(message);
    diagnostic.got = std::move(got);
    return diagnostic;
}

/** Of a name that is not among those known. */
Diagnostic
MakeUnknown(std::string key,
            std::string message,
            const std::string& got,
            std::vector<std::string> known)
{
    Diagnostic diagnostic = MakeDiagnostic("", std::move(key), std::move(message), got);
    diagnostic.nearest = NearestName(got, known);
    diagnostic.knownNames = std::move(known);
    return diagnostic;
}

Expected<std::vector<std::byte>>
ReadHead(const std::string& path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
    {
        return std::vector<std::byte>{};
    }
    std::ifstream file{path, std::ios::binary};
    if (!file)
    {
        return MakeDiagnostic(path, "", "cannot be opened");
    }
    std::vector<std::byte> head(TraceReader::PROBE_BYTES);
    file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
}

std::string
Join(const std::vector<std::string>& names)
{
    std::string text;
    for (const auto& name : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

/** The one reader whose content this is. */
Expected<std::string>
FindFormat(const std::string& path, const std::map<std::string, TypeId>& readers)
{
    const auto head = ReadHead(path);
    if (!head)
    {
        return head.Errors();
    }
    auto best = TraceReader::Match::NO;
    std::vector<std::string> names;
    for (const auto& [name, type] : readers)
    {
        const auto match = MakeReader(type)->Probe(path, *head);
        if (match > best)
        {
            best = match;
            names.clear();
        }
        if (match == best && match != TraceReader::Match::NO)
        {
            names.push_back(name);
        }
    }
    if (names.size() == 1)
    {
        return names.front();
    }
    Diagnostic finding = MakeDiagnostic(path, "format", "no trace format has such content");
    finding.knownNames = GetTraceFormats();
    if (!names.empty())
    {
        finding.message = "fits " + Join(names) + "; say which by --format";
        finding.knownNames = names;
    }
    return finding;
}

Diagnostics
SetOptions(TraceReader& reader, const std::string& format, const std::vector<TraceOption>& options)
{
    Diagnostics findings;
    std::map<std::string, std::string> known;
    const TypeId type = reader.GetInstanceTypeId();
    for (std::size_t i = 0; i < type.GetAttributeN(); i++)
    {
        known[SplitName(type.GetAttribute(i).name, '_')] = type.GetAttribute(i).name;
    }
    std::vector<std::string> names;
    for (const auto& [name, attribute] : known)
    {
        names.push_back(name);
    }
    for (const auto& option : options)
    {
        const auto found = known.find(option.name);
        if (found == known.end())
        {
            findings.push_back(MakeUnknown(
                "option", "the reader of " + format + " has no such option", option.name, names));
        }
        else if (!reader.SetAttributeFailSafe(found->second, StringValue{option.value}))
        {
            findings.push_back(
                MakeDiagnostic("", option.name, "not a value of this option", option.value));
        }
    }
    return findings;
}

} // namespace

std::vector<std::string>
GetTraceFormats()
{
    std::vector<std::string> names;
    for (const auto& [name, type] : GetReaders())
    {
        names.push_back(name);
    }
    return names;
}

Expected<Trace>
OpenTrace(const TraceRequest& request)
{
    const auto readers = GetReaders();
    std::string format = request.format;
    if (!format.empty() && !readers.contains(format))
    {
        return MakeUnknown("format", "unknown trace format", format, GetTraceFormats());
    }
    if (request.paths.empty())
    {
        return MakeDiagnostic("", "files", "no trace file was given");
    }
    for (const auto& path : request.paths)
    {
        if (!request.format.empty())
        {
            break;
        }
        const auto found = FindFormat(path, readers);
        if (!found)
        {
            return found.Errors();
        }
        if (!format.empty() && *found != format)
        {
            auto finding =
                MakeDiagnostic(path, "format", "files of two formats cannot be one trace", *found);
            finding.expected = format + ", as " + request.paths.front();
            return finding;
        }
        format = *found;
    }
    const auto reader = MakeReader(readers.at(format));
    if (auto findings = SetOptions(*reader, format, request.options); !findings.empty())
    {
        return findings;
    }
    auto trace = reader->Open(request.paths);
    if (trace)
    {
        trace->format = format;
    }
    return trace;
}

} // namespace ns3::rdma
