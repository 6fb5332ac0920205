// SPDX-License-Identifier: GPL-2.0-only
#include "base/quantity.h"

#include <array>
#include <limits>
#include <optional>
#include <span>

namespace ns3::rdma
{

namespace
{

using Wide = unsigned __int128;

constexpr uint64_t MAXIMUM = std::numeric_limits<uint64_t>::max();
constexpr Wide MANTISSA_LIMIT = static_cast<Wide>(1'000'000'000'000'000'000) * 10'000'000;
constexpr uint32_t DECIMALS_LIMIT = 25; ///< 10^25 x the largest unit, 10^12, fits in 128 bits

struct Unit
{
    std::string_view name;
    uint64_t factor;
};

/** What a quantity is called and measured in; units in falling size, first name used for output. */
struct Kind
{
    std::string_view noun;
    std::string_view example;
    std::string_view resolution;
    std::string_view baseUnit; ///< the unit of the stored number
    std::span<const Unit> units;
};

constexpr uint64_t KI = 1024;
constexpr uint64_t K = 1000;

constexpr std::array<Unit, 5> TIME_UNITS{
    {{"s", K* K* K* K}, {"ms", K* K* K}, {"us", K* K}, {"ns", K}, {"ps", 1}}};

constexpr std::array<Unit, 10> BYTE_UNITS{{{"TiB", KI* KI* KI* KI},
                                           {"TB", K* K* K* K},
                                           {"GiB", KI* KI* KI},
                                           {"GB", K* K* K},
                                           {"MiB", KI* KI},
                                           {"MB", K* K},
                                           {"KiB", KI},
                                           {"KB", K},
                                           {"kB", K},
                                           {"B", 1}}};

constexpr std::array<Unit, 12> RATE_UNITS{{{"Tbps", K* K* K* K},
                                           {"Tb/s", K* K* K* K},
                                           {"Gbps", K* K* K},
                                           {"Gb/s", K* K* K},
                                           {"Mbps", K* K},
                                           {"Mb/s", K* K},
                                           {"kbps", K},
                                           {"kb/s", K},
                                           {"Kbps", K},
                                           {"Kb/s", K},
                                           {"bps", 1},
                                           {"b/s", 1}}};

constexpr Kind TIME{"time", "10us", "a picosecond", "ps", TIME_UNITS};
constexpr Kind BYTES{"number of bytes", "32MiB", "a byte", "B", BYTE_UNITS};
constexpr Kind RATE{"data rate", "100Gbps", "a bit per second", "bps", RATE_UNITS};
constexpr Kind FRACTION{"fraction", "0.2, 1/8 or 5%", "64 bits", "", {}};

/** A decimal number: mantissa / 10^decimals. */
struct Decimal
{
    Wide mantissa{0};
    uint32_t decimals{0};
};

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::string_view
Trim(std::string_view text)
{
    constexpr std::string_view BLANKS = " \t";
    const auto first = text.find_first_not_of(BLANKS);
    if (first == std::string_view::npos)
    {
        return {};
    }
    return text.substr(first, text.find_last_not_of(BLANKS) - first + 1);
}

std::string
UnitNames(const Kind& kind)
{
    std::string names;
    for (const Unit& unit : kind.units)
    {
        names += (names.empty() ? "" : ", ") + std::string{unit.name};
    }
    return names;
}

Diagnostic
Wrong(const Kind& kind, std::string_view text, std::string message)
{
    Diagnostic diagnostic;
    diagnostic.message = std::move(message);
    diagnostic.got = text;
    diagnostic.expected = "a " + std::string{kind.noun} + " such as " + std::string{kind.example};
    if (!kind.units.empty())
    {
        diagnostic.expected += " (units: " + UnitNames(kind) + ")";
    }
    return diagnostic;
}

/** Takes the digits at the front of text; empty if they are more than the arithmetic holds. */
std::optional<Wide>
TakeDigits(std::string_view& text, Wide value, uint32_t& count)
{
    count = 0;
    while (!text.empty() && IsDigit(text.front()))
    {
        value = value * 10 + static_cast<uint64_t>(text.front() - '0');
        if (value >= MANTISSA_LIMIT)
        {
            return std::nullopt;
        }
        text.remove_prefix(1);
        count++;
    }
    return value;
}

/** Moves the decimal point; false if the result has more digits than the arithmetic holds. */
bool
ApplyExponent(Decimal& number, int32_t exponent)
{
    for (; exponent > 0; exponent--)
    {
        if (number.decimals > 0)
        {
            number.decimals--;
            continue;
        }
        number.mantissa *= 10;
        if (number.mantissa >= MANTISSA_LIMIT)
        {
            return false;
        }
    }
    number.decimals += static_cast<uint32_t>(-exponent);
    while (number.decimals > 0 && number.mantissa % 10 == 0)
    {
        number.mantissa /= 10;
        number.decimals = number.mantissa == 0 ? 0 : number.decimals - 1;
    }
    return number.decimals <= DECIMALS_LIMIT;
}

/** Takes "e-4" from the front of text, if it is there; the exponent, at most two digits. */
int32_t
TakeExponent(std::string_view& text)
{
    const bool isSigned = text.size() > 2 && (text[1] == '-' || text[1] == '+');
    const size_t first = isSigned ? 2 : 1;
    if (text.size() <= first || (text[0] != 'e' && text[0] != 'E') || !IsDigit(text[first]))
    {
        return 0;
    }
    const bool isNegative = text[1] == '-';
    text.remove_prefix(first);
    int32_t exponent = 0;
    for (int32_t digits = 0; digits < 2 && !text.empty() && IsDigit(text.front()); digits++)
    {
        exponent = exponent * 10 + (text.front() - '0');
        text.remove_prefix(1);
    }
    return isNegative ? -exponent : exponent;
}

/** Takes the number at the front of text; an error message, empty if all is well. */
std::string
TakeNumber(std::string_view& text, Decimal& number)
{
    if (!text.empty() && text.front() == '-')
    {
        return "negative";
    }
    uint32_t wholeDigits = 0;
    uint32_t decimals = 0;
    auto mantissa = TakeDigits(text, 0, wholeDigits);
    if (mantissa && !text.empty() && text.front() == '.')
    {
        text.remove_prefix(1);
        mantissa = TakeDigits(text, *mantissa, decimals);
    }
    if (!mantissa)
    {
        return "too many digits";
    }
    if (wholeDigits + decimals == 0)
    {
        return "not a number";
    }
    number = {*mantissa, decimals};
    return ApplyExponent(number, TakeExponent(text)) ? "" : "too many digits";
}

Wide
PowerOfTen(uint32_t exponent)
{
    Wide power = 1;
    for (; exponent > 0; exponent--)
    {
        power *= 10;
    }
    return power;
}

const Unit*
FindUnit(const Kind& kind, std::string_view name)
{
    for (const Unit& unit : kind.units)
    {
        if (unit.name == name)
        {
            return &unit;
        }
    }
    return nullptr;
}

Diagnostic
UnknownUnit(const Kind& kind, std::string_view text, std::string_view name)
{
    Diagnostic diagnostic = Wrong(kind, text, "unknown unit '" + std::string{name} + "'");
    for (const Unit& unit : kind.units)
    {
        diagnostic.knownNames.emplace_back(unit.name);
    }
    diagnostic.nearest = NearestName(std::string{name}, diagnostic.knownNames);
    return diagnostic;
}

Expected<uint64_t>
Parse(const Kind& kind, std::string_view text)
{
    std::string_view rest = Trim(text);
    Decimal number;
    if (const std::string error = TakeNumber(rest, number); !error.empty())
    {
        return Wrong(kind, text, error);
    }
    rest = Trim(rest);
    if (rest.empty())
    {
        return Wrong(kind, text, "the unit is missing");
    }
    const Unit* unit = FindUnit(kind, rest);
    if (unit == nullptr)
    {
        return UnknownUnit(kind, text, rest);
    }
    const Wide scaled = number.mantissa * unit->factor;
    const Wide divisor = PowerOfTen(number.decimals);
    if (scaled % divisor != 0)
    {
        return Wrong(kind, text, "finer than " + std::string{kind.resolution});
    }
    if (scaled / divisor >= MAXIMUM)
    {
        return Wrong(kind, text, "too large, 2^64 or more of " + std::string{kind.resolution});
    }
    return static_cast<uint64_t>(scaled / divisor);
}

/** The value in a unit that is a power of ten, with as many decimals as it takes. */
std::string
FormatIn(uint64_t value, const Unit& unit)
{
    std::string text = std::to_string(value / unit.factor);
    if (const uint64_t rest = value % unit.factor; rest != 0)
    {
        std::string digits = std::to_string(unit.factor + rest).substr(1);
        digits.erase(digits.find_last_not_of('0') + 1);
        text += "." + digits;
    }
    return text + std::string{unit.name};
}

/** The value in the largest unit that is not above it. */
std::string
Format(uint64_t value, const Kind& kind)
{
    for (const Unit& unit : kind.units)
    {
        if (value >= unit.factor)
        {
            return FormatIn(value, unit);
        }
    }
    return "0" + std::string{kind.baseUnit};
}

Expected<Fraction>
MakeFraction(std::string_view text, Wide numerator, Wide denominator)
{
    Wide a = numerator;
    Wide b = denominator;
    while (b != 0)
    {
        const Wide rest = a % b;
        a = b;
        b = rest;
    }
    numerator /= a;
    denominator /= a;
    if (numerator > MAXIMUM || denominator > MAXIMUM)
    {
        return Wrong(FRACTION, text, "too many digits");
    }
    return Fraction{static_cast<uint64_t>(numerator), static_cast<uint64_t>(denominator)};
}

} // namespace

Expected<SimTime>
ParseTime(std::string_view text)
{
    if (Trim(text) == "never")
    {
        return SimTime::Never();
    }
    const auto value = Parse(TIME, text);
    return value ? Expected<SimTime>{SimTime{*value}} : Expected<SimTime>{value.Errors()};
}

Expected<ByteCount>
ParseBytes(std::string_view text)
{
    const auto value = Parse(BYTES, text);
    return value ? Expected<ByteCount>{ByteCount{*value}} : Expected<ByteCount>{value.Errors()};
}

Expected<BitRate>
ParseRate(std::string_view text)
{
    const auto value = Parse(RATE, text);
    return value ? Expected<BitRate>{BitRate{*value}} : Expected<BitRate>{value.Errors()};
}

Expected<Fraction>
ParseFraction(std::string_view text)
{
    std::string_view rest = Trim(text);
    Decimal number;
    std::string error = TakeNumber(rest, number);
    Wide denominator = 1;
    if (error.empty() && rest.starts_with('/'))
    {
        rest.remove_prefix(1);
        Decimal below;
        error = TakeNumber(rest, below);
        const bool isWhole = number.decimals == 0 && below.decimals == 0;
        error = error.empty() && (below.mantissa == 0 || !isWhole)
                    ? "a ratio is two whole numbers, the second not 0"
                    : error;
        denominator = below.mantissa;
    }
    else if (error.empty() && rest == "%")
    {
        rest.remove_prefix(1);
        denominator = 100;
    }
    if (error.empty() && !rest.empty())
    {
        error = "'" + std::string{rest} + "' after the number";
    }
    if (!error.empty())
    {
        return Wrong(FRACTION, text, error);
    }
    return MakeFraction(text, number.mantissa, denominator * PowerOfTen(number.decimals));
}

std::string
ToString(SimTime time)
{
    return time.IsNever() ? "never" : Format(time.ps, TIME);
}

std::string
ToString(ByteCount bytes)
{
    std::string shortest = std::to_string(bytes.value) + "B";
    for (const Unit& unit : BYTE_UNITS)
    {
        const bool isWhole = bytes.value >= unit.factor && bytes.value % unit.factor == 0;
        const std::string text = std::to_string(bytes.value / unit.factor) + std::string{unit.name};
        shortest = isWhole && text.size() < shortest.size() ? text : shortest;
    }
    return shortest;
}

std::string
ToString(BitRate rate)
{
    return Format(rate.bps, RATE);
}

std::string
ToString(Fraction fraction)
{
    constexpr uint32_t SHORT_DECIMALS = 6;
    uint64_t power = 1;
    for (uint32_t decimals = 0; decimals <= SHORT_DECIMALS; decimals++, power *= 10)
    {
        if (power % fraction.denominator != 0)
        {
            continue;
        }
        const Wide scaled = static_cast<Wide>(fraction.numerator) * (power / fraction.denominator);
        std::string text = std::to_string(static_cast<uint64_t>(scaled / power));
        if (decimals > 0)
        {
            text += "." + std::to_string(power + static_cast<uint64_t>(scaled % power)).substr(1);
        }
        return text;
    }
    return std::to_string(fraction.numerator) + "/" + std::to_string(fraction.denominator);
}

} // namespace ns3::rdma
