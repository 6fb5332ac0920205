// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** Damages files, binary ones and text; the same seed does the same on every machine. */
class TraceMutator
{
  public:
    explicit TraceMutator(uint64_t seed) : m_random{seed} {}

    /** A number below limit, which is not 0; slightly uneven, which does not matter here. */
    std::size_t Below(std::size_t limit)
    {
        return m_random() % limit;
    }

    /** One to four changes. */
    std::string Damage(std::string bytes)
    {
        for (std::size_t changes = 1 + Below(4); changes > 0; --changes)
        {
            Change(bytes);
        }
        return bytes;
    }

  private:
    void Change(std::string& bytes)
    {
        constexpr std::size_t KINDS = 10;
        const std::size_t at = Below(bytes.size() + 1);
        switch (bytes.empty() ? 1 : Below(KINDS))
        {
        case 0:
            bytes.resize(at);
            break;
        case 1:
            bytes.insert(at, RandomBytes());
            break;
        case 2:
            bytes.erase(at, 1 + Below(16));
            break;
        case 3:
            bytes[Below(bytes.size())] = static_cast<char>(m_random());
            break;
        case 4:
        case 5:
            ReplaceNumber(bytes);
            break;
        case 6:
            ChangeLines(bytes);
            break;
        case 7:
            bytes.insert(at, bytes.substr(Below(bytes.size()), 1 + Below(200)));
            break;
        default:
            bytes[Below(bytes.size())] ^= static_cast<char>(1 << Below(8));
            break;
        }
    }

    std::string RandomBytes()
    {
        std::string bytes(1 + Below(16), '\0');
        std::ranges::generate(bytes, [this] { return static_cast<char>(m_random()); });
        return bytes;
    }

    /** A run of digits, wherever there is one, becomes a number that programs stumble over. */
    void ReplaceNumber(std::string& bytes)
    {
        constexpr std::array<std::string_view, 14> NUMBERS{"0",
                                                           "-1",
                                                           "1",
                                                           "4294967295",
                                                           "4294967296",
                                                           "2147483648",
                                                           "9223372036854775807",
                                                           "9223372036854775808",
                                                           "18446744073709551615",
                                                           "18446744073709551616",
                                                           "99999999999999999999999999",
                                                           "1e308",
                                                           "nan",
                                                           ""};
        const auto isDigit = [](char letter)
        { return std::isdigit(static_cast<unsigned char>(letter)) != 0; };
        const auto start = bytes.begin() + static_cast<std::ptrdiff_t>(Below(bytes.size()));
        const auto first = std::find_if(start, bytes.end(), isDigit);
        const auto last = std::find_if_not(first, bytes.end(), isDigit);
        bytes.replace(first, last, NUMBERS[Below(NUMBERS.size())]);
    }

    /** Two lines change places, or one is left out or comes twice. */
    void ChangeLines(std::string& bytes)
    {
        std::vector<std::string> lines;
        for (std::size_t at = 0; at < bytes.size();)
        {
            const std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
            lines.push_back(bytes.substr(at, end - at));
            at = end;
        }
        const std::size_t first = Below(lines.size());
        const std::size_t second = Below(lines.size());
        switch (Below(3))
        {
        case 0:
            std::swap(lines[first], lines[second]);
            break;
        case 1:
            lines[first] += lines[second];
            break;
        default:
            lines[first].clear();
            break;
        }
        bytes.clear();
        for (const std::string& line : lines)
        {
            bytes += line;
        }
    }

    std::mt19937_64 m_random;
};

} // namespace ns3::rdma
