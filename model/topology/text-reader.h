// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** A word of a text file and where it stands. */
struct TextToken
{
    std::string_view text; ///< points into the text that was given to the reader
    uint32_t line{0};      ///< from 1
    uint32_t column{0};    ///< from 1, in bytes

    bool operator==(const TextToken&) const = default;
};

/**
 * Cuts a text into lines and these into words separated by blanks, tabs or carriage returns.
 *
 * Lines without a word are skipped. A byte order mark at the start is skipped as well. The text
 * must outlive the reader and its tokens.
 */
class TextReader
{
  public:
    explicit TextReader(std::string_view text);

    /**
     * Reads the next line that holds a word.
     *
     * @param tokens receives the words of that line; empty at the end of the text
     * @return false at the end of the text
     */
    bool Next(std::vector<TextToken>& tokens);

    /** The line read last, from 1; 0 before the first. */
    uint32_t Line() const
    {
        return m_line;
    }

  private:
    std::string_view m_rest;
    uint32_t m_line{0};
};

/** The text without a byte order mark at its start. */
std::string_view SkipByteOrderMark(std::string_view text);

/**
 * Collects what is wrong with one file, and stops counting when a person would stop reading.
 *
 * After MAX_KEPT entries only a count is kept, so that a file of another format costs no memory.
 */
class DiagnosticList
{
  public:
    static constexpr uint32_t MAX_KEPT = 50; ///< @choice more on one screen helps nobody

    explicit DiagnosticList(std::string file) : m_file{std::move(file)} {}

    /** Adds one finding; the file is filled in, and the line of the token with its column. */
    void Add(const TextToken& at, std::string message, std::string expected);

    /** Adds one finding that has no place but a line (0: none). */
    void Add(uint32_t line, std::string message, std::string got, std::string expected);

    /** Adds one finding; the file is filled in. */
    void Add(Diagnostic diagnostic);

    /** Adds findings of another reader as they are. */
    void Append(const Diagnostics& findings);

    bool IsEmpty() const
    {
        return m_entries.empty();
    }

    /** What was found; the last entry says how many were left out, if any. */
    Diagnostics Take();

  private:
    std::string m_file;
    Diagnostics m_entries;
    uint64_t m_leftOut{0};
};

/**
 * Reads a whole file, whatever is in it.
 *
 * @error the file is missing, unreadable or a folder
 */
Expected<std::string> ReadWholeFile(const std::string& path);

/**
 * Reads a whole file of text.
 *
 * @error as ReadWholeFile; the file holds a zero byte
 */
Expected<std::string> ReadTextFile(const std::string& path);

/** A whole number without sign, of decimal digits only; nothing if malformed or above 2^64 - 1. */
std::optional<uint64_t> ParseWhole(std::string_view text);

/**
 * A decimal number times a power of ten, in integer arithmetic only.
 *
 * @param text     "2", "2.000000934", "25000000000.0", "1e-3"; a sign is refused
 * @param exponent the power of ten: 12 turns seconds into picoseconds; -30 .. 30
 * @return the product, rounded to the nearest whole number (halves up); nothing if malformed, of
 * more than 36 significant digits, or above 2^64 - 1
 */
std::optional<uint64_t> ParseScaled(std::string_view text, int exponent);

/**
 * A data rate as ns-3's DataRate spells it: "100Gbps", "50Mb/s", "1GBps"; without unit b/s.
 *
 * @return nothing if malformed
 * @spec ns-3.37 DataRate (decimal prefixes k, K, M, G and binary ones Ki, Mi, Gi; b bit, B byte)
 */
std::optional<BitRate> ParseNs3Rate(std::string_view text);

/**
 * A span of time as ns-3's Time spells it: "0.001ms", "1000ns"; without unit seconds.
 *
 * @return nothing if malformed; rounded to the nearest picosecond
 * @spec ns-3.37 Time (units s, ms, us, ns, ps, fs, min, h, d)
 */
std::optional<SimTime> ParseNs3Time(std::string_view text);

/** A floating-point number that is the whole text; nothing if malformed or not finite. */
std::optional<double> ParseReal(std::string_view text);

} // namespace ns3::rdma
