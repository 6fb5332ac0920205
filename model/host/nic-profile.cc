// SPDX-License-Identifier: GPL-2.0-only
#include "host/nic-profile.h"

#include "host/built-in-profiles.h"

#include <array>
#include <fstream>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/**
 * Bits per second of a lane, by generation: 8b/10b encoding up to 2, 128b/130b from 3.
 *
 * @spec PCI Express Base Specification 5.0 section 4.2
 */
constexpr std::array<uint64_t, 6> LANE_BPS{
    0,
    2'500'000'000 / 10 * 8,
    5'000'000'000 / 10 * 8,
    8'000'000'000 / 130 * 128,
    16'000'000'000 / 130 * 128,
    32'000'000'000 / 130 * 128,
};

bool
IsPath(const std::string& name)
{
    return name.find('/') != std::string::npos || name.ends_with(".yaml");
}

} // namespace

bool
NicProfile::IsIdeal() const
{
    NicProfile ideal;
    ideal.name = name;
    // These bound what is asked; they cost nothing by themselves.
    ideal.nicUnits = nicUnits;
    ideal.nicInlineLimit = nicInlineLimit;
    return *this == ideal;
}

BitRate
NicProfile::GetLinkRate() const
{
    const uint64_t raw = LANE_BPS.at(pcieGeneration) * pcieLanes;
    const auto used = static_cast<unsigned __int128>(raw) * pcieLinkOverhead.numerator;
    return {raw - static_cast<uint64_t>(used / pcieLinkOverhead.denominator)};
}

Expected<NicProfile>
FindNicProfile(const std::string& name)
{
    Diagnostic diagnostic;
    diagnostic.got = name;
    if (IsPath(name))
    {
        std::ifstream file{name, std::ios::binary};
        std::ostringstream text;
        text << file.rdbuf();
        if (!file || !text)
        {
            diagnostic.message = "cannot read the NIC profile";
            return diagnostic;
        }
        return ReadNicProfile(text.str(), name);
    }
    for (const BuiltInProfile& profile : GetBuiltInProfiles())
    {
        if (profile.name == name)
        {
            auto read = ReadNicProfile(std::string{profile.text}, name + ".yaml");
            if (read)
            {
                read->name = name;
            }
            return read;
        }
    }
    diagnostic.message = "unknown NIC profile";
    diagnostic.expected = "a known name, or the path of a file (./mine.yaml)";
    diagnostic.knownNames = GetNicProfileNames();
    diagnostic.nearest = NearestName(name, diagnostic.knownNames);
    return diagnostic;
}

std::vector<std::string>
GetNicProfileNames()
{
    std::vector<std::string> names;
    for (const BuiltInProfile& profile : GetBuiltInProfiles())
    {
        names.emplace_back(profile.name);
    }
    return names;
}

} // namespace ns3::rdma
