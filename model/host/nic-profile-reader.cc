// SPDX-License-Identifier: GPL-2.0-only
#include "host/nic-profile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <variant>
#include <yaml-cpp/yaml.h>

namespace ns3::rdma
{

namespace
{

/** Smallest and largest whole number that a key takes. */
struct CountField
{
    uint32_t NicProfile::*member;
    uint32_t minimum;
    uint32_t maximum;
};

/** A key of a profile and the member that it sets. */
struct ProfileField
{
    std::string_view key;
    std::variant<CountField, SimTime NicProfile::*, ByteCount NicProfile::*, Fraction NicProfile::*>
        target;
};

const std::array FIELDS{
    ProfileField{"pcie.generation", CountField{&NicProfile::pcieGeneration, 0, 5}},
    ProfileField{"pcie.lanes", CountField{&NicProfile::pcieLanes, 0, 32}},
    ProfileField{"pcie.link_overhead", &NicProfile::pcieLinkOverhead},
    ProfileField{"pcie.max_payload", &NicProfile::pcieMaxPayload},
    ProfileField{"pcie.max_read_request", &NicProfile::pcieMaxRead},
    ProfileField{"pcie.read_round_trip", &NicProfile::pcieReadRoundTrip},
    ProfileField{"pcie.write_latency", &NicProfile::pcieWriteLatency},
    ProfileField{"host.post", &NicProfile::hostPost},
    ProfileField{"host.doorbell", &NicProfile::hostDoorbell},
    ProfileField{"host.poll", &NicProfile::hostPoll},
    ProfileField{"nic.processing_units", CountField{&NicProfile::nicUnits, 1, 1024}},
    ProfileField{"nic.request_processing", &NicProfile::nicRequest},
    ProfileField{"nic.packet_processing", &NicProfile::nicPacket},
    ProfileField{"nic.transmit_latency", &NicProfile::nicTransmitLatency},
    ProfileField{"nic.receive_latency", &NicProfile::nicReceiveLatency},
    ProfileField{"nic.request_size", &NicProfile::nicRequestBytes},
    ProfileField{"nic.completion_size", &NicProfile::nicCompletionBytes},
    ProfileField{"nic.doorbell_carries", &NicProfile::nicDoorbellBytes},
    ProfileField{"nic.inline_limit", &NicProfile::nicInlineLimit},
    ProfileField{"nic.atomic_processing", &NicProfile::nicAtomic},
    ProfileField{"nic.context_entries", CountField{&NicProfile::nicContextEntries, 0, 1 << 24}},
    ProfileField{"nic.context_miss", &NicProfile::nicContextMiss},
};

/** A time that could never end would stop a run without a word; a second is beyond any hardware. */
constexpr SimTime LONGEST = SimTime::Seconds(1);

Expected<uint32_t>
ParseCount(const std::string& text)
{
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size())
    {
        return value;
    }
    Diagnostic diagnostic;
    diagnostic.message = "not a whole number";
    diagnostic.got = text;
    return diagnostic;
}

/** One reading of one file. */
class ProfileReader
{
  public:
    explicit ProfileReader(const std::string& file) : m_file{file}
    {
        m_profile.name = file;
    }

    Expected<NicProfile> Read(const std::string& text)
    {
        YAML::Node root;
        try
        {
            root = YAML::Load(text);
        }
        catch (const YAML::ParserException& problem)
        {
            Report("", problem.mark, "not YAML: " + problem.msg, "");
            return m_errors;
        }
        if (!root.IsMap())
        {
            Report("", root.Mark(), "a profile has the groups pcie, host and nic", "");
            return m_errors;
        }
        for (const auto& group : root)
        {
            ReadGroup(group.first.Scalar(), group.second);
        }
        CheckAllThere(root.Mark());
        CheckTogether(root.Mark());
        if (!m_errors.empty())
        {
            return m_errors;
        }
        return m_profile;
    }

  private:
    Diagnostic& Report(const std::string& key,
                       const YAML::Mark& mark,
                       const std::string& message,
                       const std::string& got)
    {
        Diagnostic diagnostic;
        diagnostic.file = m_file;
        diagnostic.line = mark.is_null() ? 0 : static_cast<uint32_t>(mark.line + 1);
        diagnostic.key = key;
        diagnostic.message = message;
        diagnostic.got = got;
        m_errors.push_back(diagnostic);
        return m_errors.back();
    }

    void ReportUnknown(const std::string& key, const YAML::Mark& mark)
    {
        Diagnostic& diagnostic = Report(key, mark, "unknown key", "");
        for (const ProfileField& field : FIELDS)
        {
            diagnostic.knownNames.emplace_back(field.key);
        }
        diagnostic.nearest = NearestName(key, diagnostic.knownNames);
    }

    void ReadGroup(const std::string& group, const YAML::Node& fields)
    {
        if (!fields.IsMap())
        {
            ReportUnknown(group, fields.Mark());
            return;
        }
        for (const auto& entry : fields)
        {
            const std::string key = group + "." + entry.first.Scalar();
            const auto field = std::find_if(
                FIELDS.begin(), FIELDS.end(), [&](const ProfileField& f) { return f.key == key; });
            if (field == FIELDS.end())
            {
                ReportUnknown(key, entry.first.Mark());
                continue;
            }
            bool& isSeen = m_isSeen.at(static_cast<std::size_t>(field - FIELDS.begin()));
            if (isSeen)
            {
                Report(key, entry.first.Mark(), "given twice", "");
            }
            isSeen = true;
            ReadField(*field, entry.second, entry.first.Mark());
        }
    }

    void ReadField(const ProfileField& field, const YAML::Node& node, const YAML::Mark& mark)
    {
        const std::string key{field.key};
        const bool isWhole = node.IsMap() && node.size() == 2 && node["value"] && node["source"];
        if (!isWhole || !node["value"].IsScalar() || !node["source"].IsScalar() ||
            node["source"].Scalar().empty())
        {
            Report(key, mark, "not a value with its source", "").expected =
                "{value: <with its unit>, source: <where it is from>}";
            return;
        }
        const std::string text = node["value"].Scalar();
        const Diagnostics errors = Set(field, text);
        for (const Diagnostic& error : errors)
        {
            Report(key, mark, error.message, text).expected = error.expected;
        }
    }

    Diagnostics Set(const ProfileField& field, const std::string& text)
    {
        if (const auto* time = std::get_if<SimTime NicProfile::*>(&field.target))
        {
            const Diagnostics errors = Take(ParseTime(text), *time);
            return errors.empty() && m_profile.*(*time) > LONGEST ? OutOfRange("0ps .. 1s")
                                                                  : errors;
        }
        if (const auto* bytes = std::get_if<ByteCount NicProfile::*>(&field.target))
        {
            return Take(ParseBytes(text), *bytes);
        }
        if (const auto* share = std::get_if<Fraction NicProfile::*>(&field.target))
        {
            const Diagnostics errors = Take(ParseFraction(text), *share);
            return errors.empty() && m_profile.*(*share) >= Fraction{1, 1} ? OutOfRange("0 .. <1")
                                                                           : errors;
        }
        const CountField& count = std::get<CountField>(field.target);
        const Diagnostics errors = Take(ParseCount(text), count.member);
        const uint32_t value = m_profile.*count.member;
        const bool isInside = value >= count.minimum && value <= count.maximum;
        return errors.empty() && !isInside ? OutOfRange(std::to_string(count.minimum) + " .. " +
                                                        std::to_string(count.maximum))
                                           : errors;
    }

    template <typename T>
    Diagnostics Take(const Expected<T>& value, T NicProfile::*member)
    {
        if (!value)
        {
            return value.Errors();
        }
        m_profile.*member = *value;
        return {};
    }

    static Diagnostics OutOfRange(const std::string& expected)
    {
        Diagnostic diagnostic;
        diagnostic.message = "out of range";
        diagnostic.expected = expected;
        return {diagnostic};
    }

    void CheckAllThere(const YAML::Mark& mark)
    {
        for (std::size_t i = 0; i < FIELDS.size(); ++i)
        {
            if (!m_isSeen[i])
            {
                Report(std::string{FIELDS[i].key}, mark, "missing", "");
            }
        }
    }

    /** What a PCIe link with lanes needs. */
    void CheckTogether(const YAML::Mark& mark)
    {
        if (!m_errors.empty() || m_profile.pcieLanes == 0)
        {
            return;
        }
        constexpr ByteCount SMALLEST{128}; // @spec PCI Express Base Specification 5.0 section 7.5.3
        if (m_profile.pcieGeneration == 0)
        {
            Report("pcie.generation", mark, "a link with lanes has a generation", "0").expected =
                "1 .. 5";
        }
        if (m_profile.pcieMaxPayload < SMALLEST)
        {
            Report("pcie.max_payload", mark, "out of range", ToString(m_profile.pcieMaxPayload))
                .expected = "at least 128B";
        }
        if (m_profile.pcieMaxRead < SMALLEST)
        {
            Report("pcie.max_read_request", mark, "out of range", ToString(m_profile.pcieMaxRead))
                .expected = "at least 128B";
        }
    }

    const std::string& m_file;
    NicProfile m_profile;
    std::array<bool, FIELDS.size()> m_isSeen{};
    Diagnostics m_errors;
};

} // namespace

Expected<NicProfile>
ReadNicProfile(const std::string& text, const std::string& file)
{
    return ProfileReader{file}.Read(text);
}

} // namespace ns3::rdma
