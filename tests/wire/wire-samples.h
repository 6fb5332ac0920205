// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/support/source-folder.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** Bytes from hexadecimal text; spaces between bytes are skipped. */
inline std::vector<std::byte>
FromHex(std::string_view text)
{
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    {
        while (text[i] == ' ')
        {
            ++i;
        }
        bytes.push_back(static_cast<std::byte>(digit(text[i]) << 4 | digit(text[i + 1])));
    }
    return bytes;
}

inline std::string
ToHex(std::span<const std::byte> bytes)
{
    constexpr std::string_view DIGITS = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : bytes)
    {
        text += DIGITS[std::to_integer<std::size_t>(byte >> 4)];
        text += DIGITS[std::to_integer<std::size_t>(byte & std::byte{15})];
    }
    return text;
}

/** What writes the bytes of a pcap file into a string. */
inline auto
AppendTo(std::string& text)
{
    return [&text](std::span<const std::byte> bytes)
    { text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
}

/** A frame that was captured. */
struct SampleFrame
{
    std::string capture;
    int number; ///< in the capture, from 1
    bool isGood;
    std::vector<std::byte> bytes;
};

/** The frames of tests/wire/data/roce-frames.txt, whose head says where they come from. */
inline std::vector<SampleFrame>
ReadSampleFrames()
{
    std::vector<SampleFrame> frames;
    std::ifstream stream{GetSourceFolder() / "tests/wire/data/roce-frames.txt"};
    for (std::string line; std::getline(stream, line);)
    {
        std::istringstream row{line};
        SampleFrame frame;
        std::string verdict;
        std::string hex;
        if (line.front() != '#' && row >> frame.capture >> frame.number >> verdict >> hex)
        {
            frame.isGood = verdict == "good";
            frame.bytes = FromHex(hex);
            frames.push_back(std::move(frame));
        }
    }
    return frames;
}

/** Folder of captures beside the checkout; it may be missing. */
inline std::filesystem::path
SharedFolder(const std::string& name)
{
    return GetSourceFolder() / ".." / "shared" / name;
}

} // namespace ns3::rdma
