// SPDX-License-Identifier: GPL-2.0-only
#include "trace/csv-table.h"

#include <array>
#include <charconv>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t PS_PER_NS = 1000;
constexpr int RATIO_DECIMALS = 6;

void
AppendInteger(std::string& text, uint64_t value)
{
    std::array<char, 20> digits; // 2^64 has 20
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text.append(digits.data(), result.ptr);
}

void
AppendNanoseconds(std::string& text, SimTime time)
{
    AppendInteger(text, time.ps / PS_PER_NS);
    const uint64_t fraction = time.ps % PS_PER_NS;
    const std::array<char, 4> digits{'.',
                                     static_cast<char>('0' + fraction / 100),
                                     static_cast<char>('0' + fraction / 10 % 10),
                                     static_cast<char>('0' + fraction % 10)};
    text.append(digits.data(), digits.size());
}

} // namespace

std::string
FormatNanoseconds(SimTime time)
{
    std::string text;
    AppendNanoseconds(text, time);
    return text;
}

std::string
FormatRatio(double value)
{
    std::array<char, 400> digits; // the largest double has 309 before the point
    const auto result = std::to_chars(digits.data(),
                                      digits.data() + digits.size(),
                                      value,
                                      std::chars_format::fixed,
                                      RATIO_DECIMALS);
    return {digits.data(), result.ptr};
}

CsvTable::CsvTable(ResultFile& file, std::string_view header) : m_file{file}
{
    m_file.Write(header);
    m_file.Write("\n");
    m_bytes = header.size() + 1;
}

void
CsvTable::Separate()
{
    if (!m_isFirst)
    {
        m_row += ',';
    }
    m_isFirst = false;
}

CsvTable&
CsvTable::Text(std::string_view text)
{
    Separate();
    if (text.find_first_of(",\"\n\r") == std::string_view::npos)
    {
        m_row += text;
        return *this;
    }
    m_row += '"';
    for (const char character : text)
    {
        m_row.append(character == '"' ? 2 : 1, character);
    }
    m_row += '"';
    return *this;
}

CsvTable&
CsvTable::Integer(uint64_t value)
{
    Separate();
    AppendInteger(m_row, value);
    return *this;
}

CsvTable&
CsvTable::Time(SimTime time)
{
    Separate();
    AppendNanoseconds(m_row, time);
    return *this;
}

CsvTable&
CsvTable::Ratio(double value)
{
    Separate();
    m_row += FormatRatio(value);
    return *this;
}

CsvTable&
CsvTable::Empty()
{
    Separate();
    return *this;
}

void
CsvTable::EndRow()
{
    m_row += '\n';
    if (!m_isMuted)
    {
        m_isFull |= m_bytes + m_row.size() > m_maxBytes;
        if (!m_isFull)
        {
            m_bytes += m_row.size();
            m_file.Write(m_row);
        }
    }
    m_row.clear();
    m_isFirst = true;
}

} // namespace ns3::rdma
