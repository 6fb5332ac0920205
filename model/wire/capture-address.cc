// SPDX-License-Identifier: GPL-2.0-only
#include "wire/capture-address.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ns3::rdma
{

CaptureAddress
CaptureAddress::FromLid(uint16_t lid)
{
    CaptureAddress address{.gid = {}, .isLid = true};
    address.gid[0] = std::byte{0xfe};
    address.gid[1] = std::byte{0x80};
    StoreBigEndian(address.gid, 14, lid);
    return address;
}

CaptureAddress
CaptureAddress::FromIpv4(std::span<const std::byte> bytes)
{
    CaptureAddress address;
    address.gid[10] = address.gid[11] = std::byte{0xff};
    std::copy_n(bytes.begin(), 4, address.gid.begin() + 12);
    return address;
}

CaptureAddress
CaptureAddress::FromIpv6(std::span<const std::byte> bytes)
{
    CaptureAddress address;
    std::copy_n(bytes.begin(), address.gid.size(), address.gid.begin());
    return address;
}

namespace
{

std::string
Ipv6Text(const Gid& gid)
{
    constexpr int GROUPS = 8;
    std::array<uint16_t, GROUPS> groups{};
    int bestStart = GROUPS;
    int bestLength = 1; // a single group of zeros is not shortened
    for (int i = 0, run = 0; i < GROUPS; ++i)
    {
        groups[i] = LoadBigEndian<uint16_t>(gid, 2 * i);
        run = groups[i] == 0 ? run + 1 : 0;
        if (run > bestLength)
        {
            bestLength = run;
            bestStart = i - run + 1;
        }
    }
    constexpr std::string_view DIGITS = "0123456789abcdef";
    std::string text;
    for (int i = 0; i < GROUPS; ++i)
    {
        if (i == bestStart)
        {
            text += "::";
            i += bestLength - 1;
            continue;
        }
        text += text.empty() || text.back() == ':' ? "" : ":";
        bool isShown = false;
        for (int shift = 12; shift >= 0; shift -= 4)
        {
            const unsigned digit = groups[i] >> shift & 0xfU;
            isShown = isShown || digit != 0 || shift == 0;
            text += isShown ? std::string{DIGITS[digit]} : "";
        }
    }
    return text;
}

} // namespace

std::string
ToString(const CaptureAddress& address)
{
    if (address.isLid)
    {
        return "lid " + std::to_string(LoadBigEndian<uint16_t>(address.gid, 14));
    }
    const auto isZero = [](std::byte byte) { return byte == std::byte{0}; };
    const bool isIpv4 = std::all_of(address.gid.begin(), address.gid.begin() + 10, isZero) &&
                        LoadBigEndian<uint16_t>(address.gid, 10) == 0xffff;
    if (!isIpv4)
    {
        return Ipv6Text(address.gid);
    }
    std::string text;
    for (std::size_t i = 12; i < address.gid.size(); ++i)
    {
        text += (text.empty() ? "" : ".") + std::to_string(std::to_integer<int>(address.gid[i]));
    }
    return text;
}

} // namespace ns3::rdma
