// SPDX-License-Identifier: GPL-2.0-only
#include "workload/flow-size-distribution.h"

#include "topology/text-reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>

namespace ns3::rdma
{

namespace
{

using Point = FlowSizeDistribution::Point;

constexpr double MAX_BYTES = 1e15; ///< a flow of a day at 100 Gb/s
constexpr double PERCENT = 100.0;
constexpr double END_TOLERANCE = 1e-4;         ///< relative; files round their last line
constexpr double STATED_MEAN_TOLERANCE = 0.01; ///< relative; stated means are rounded

/** A stated mean has one of these words before it. */
constexpr std::string_view MEAN_WORD = "mean";

double
MeanOf(std::span<const Point> points, FlowSizeDistribution::Shape shape)
{
    double mean = points[0].bytes * points[0].cumulative;
    for (size_t i = 1; i < points.size(); ++i)
    {
        const double share = points[i].cumulative - points[i - 1].cumulative;
        const double size = shape == FlowSizeDistribution::Shape::STEPS
                                ? points[i].bytes
                                : (points[i - 1].bytes + points[i].bytes) / 2.0;
        mean += size * share;
    }
    return mean;
}

bool
IsNear(double value, double reference)
{
    return std::abs(value - reference) <= STATED_MEAN_TOLERANCE * reference;
}

/** A number as a person writes it: whole when it is large. */
std::string
Describe(double number)
{
    constexpr double LARGE = 1000.0;
    std::string text = std::to_string(number);
    return number >= LARGE ? text.substr(0, text.find('.')) : text;
}

/** The first number after the word "mean" in a comment, if there is one. */
std::optional<double>
FindStatedMean(std::string_view comment)
{
    size_t at = comment.find(MEAN_WORD);
    if (at == std::string_view::npos)
    {
        return std::nullopt;
    }
    at = comment.find_first_of("0123456789", at);
    if (at == std::string_view::npos)
    {
        return std::nullopt;
    }
    size_t end = std::min(comment.find_first_not_of("0123456789.", at), comment.size());
    end -= comment[end - 1] == '.' ? 1 : 0;
    return ParseReal(comment.substr(at, end - at));
}

} // namespace

/** Reads one file; see FlowSizeDistribution::Parse. */
class DistributionParser
{
  public:
    DistributionParser(const std::string& file, const DistributionOptions& options)
        : m_file{file},
          m_options{options},
          m_errors{file}
    {
    }

    Expected<FlowSizeDistribution> Parse(std::string_view text, std::vector<std::string>& notes);

  private:
    void ReadLine(std::string_view line);
    void ReadComment(std::string_view comment);
    void ReadWords(const std::vector<TextToken>& words);
    void ReadPoint(const TextToken& size, const TextToken& cumulative);
    double FindScale();
    void ChooseShape(FlowSizeDistribution& result);
    void Describe(const FlowSizeDistribution& result, std::vector<std::string>& notes) const;

    const std::string& m_file;
    const DistributionOptions& m_options;
    DiagnosticList m_errors;
    uint32_t m_line{0};
    std::vector<Point> m_points;        ///< as in the file, then in bytes and 0 .. 1
    std::vector<uint32_t> m_lines;      ///< of the points
    std::optional<double> m_statedMean; ///< in the file's unit
    bool m_saysPackets{false};
    bool m_isPercent{false};
    bool m_isMeanUsed{false};
};

void
DistributionParser::ReadComment(std::string_view comment)
{
    m_saysPackets = m_saysPackets || comment.find("PACKETS") != std::string_view::npos ||
                    comment.find("packets") != std::string_view::npos;
    if (!m_statedMean)
    {
        m_statedMean = FindStatedMean(comment);
    }
}

void
DistributionParser::ReadLine(std::string_view line)
{
    const size_t comment = line.find('#');
    if (comment != std::string_view::npos)
    {
        ReadComment(line.substr(comment + 1));
    }
    std::string text{line.substr(0, comment)};
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
    TextReader reader{text};
    std::vector<TextToken> words;
    if (!reader.Next(words))
    {
        return;
    }
    for (TextToken& word : words)
    {
        word.line = m_line;
    }
    ReadWords(words);
}

void
DistributionParser::ReadWords(const std::vector<TextToken>& words)
{
    constexpr size_t NS2_COLUMNS = 3;
    const bool isFirst = m_points.empty();
    if (isFirst && !ParseReal(words[0].text) && words.size() > 1)
    {
        // Column names say more than comments.
        const bool saysBytes = words[0].text.find("byte") != std::string_view::npos;
        m_saysPackets =
            !saysBytes && (m_saysPackets || words[0].text.find("packet") != std::string_view::npos);
        return;
    }
    if (isFirst && words.size() == 1 && ParseReal(words[0].text))
    {
        m_statedMean = ParseReal(words[0].text);
        return;
    }
    if (words.size() != 2 && words.size() != NS2_COLUMNS)
    {
        m_errors.Add(m_line,
                     "not a point of a distribution",
                     std::to_string(words.size()) + " columns",
                     "size and probability");
        return;
    }
    m_saysPackets = m_saysPackets || words.size() == NS2_COLUMNS;
    ReadPoint(words.front(), words.back());
}

void
DistributionParser::ReadPoint(const TextToken& size, const TextToken& cumulative)
{
    const std::optional<double> x = ParseReal(size.text);
    const std::optional<double> y = ParseReal(cumulative.text);
    if (!x || *x < 0.0 || *x > MAX_BYTES)
    {
        m_errors.Add(size, "not a size", "a number from 0 to 1e15");
    }
    if (!y || *y < 0.0 || *y > PERCENT * (1.0 + END_TOLERANCE))
    {
        m_errors.Add(cumulative, "not a cumulative probability", "0 to 1, or 0 to 100");
    }
    if (!x || !y)
    {
        return;
    }
    if (!m_points.empty() && *x < m_points.back().bytes)
    {
        m_errors.Add(size, "the size is below that of the line before", "rising sizes");
    }
    if (!m_points.empty() && *y < m_points.back().cumulative)
    {
        m_errors.Add(cumulative,
                     "the probability is below that of the line before",
                     "rising cumulative probabilities");
    }
    m_points.push_back({*x, *y});
    m_lines.push_back(m_line);
}

double
DistributionParser::FindScale()
{
    const double last = m_points.back().cumulative;
    if (std::abs(last - 1.0) <= END_TOLERANCE)
    {
        return last;
    }
    if (std::abs(last - PERCENT) <= PERCENT * END_TOLERANCE)
    {
        m_isPercent = true;
        return last;
    }
    m_errors.Add(m_lines.back(),
                 "the last cumulative probability is neither 1 nor 100",
                 std::to_string(last),
                 "1, or 100 percent");
    return 1.0;
}

void
DistributionParser::ChooseShape(FlowSizeDistribution& result)
{
    using Shape = FlowSizeDistribution::Shape;
    const double lines = MeanOf(result.m_points, Shape::LINES);
    const double steps = MeanOf(result.m_points, Shape::STEPS);
    if (m_statedMean && !IsNear(lines, *m_statedMean) && IsNear(steps, *m_statedMean))
    {
        result.m_shape = Shape::STEPS;
    }
    // Both may be near: then the nearer one.
    if (m_statedMean && IsNear(lines, *m_statedMean) &&
        std::abs(steps - *m_statedMean) < std::abs(lines - *m_statedMean))
    {
        result.m_shape = Shape::STEPS;
    }
    result.m_meanBytes = result.m_shape == Shape::STEPS ? steps : lines;
    m_isMeanUsed = m_statedMean && IsNear(result.m_meanBytes, *m_statedMean);
}

void
DistributionParser::Describe(const FlowSizeDistribution& result,
                             std::vector<std::string>& notes) const
{
    const bool isSteps = result.m_shape == FlowSizeDistribution::Shape::STEPS;
    std::string note =
        m_file + ": " + std::to_string(result.m_points.size()) + " points, " +
        (m_isPercent ? "percent" : "probabilities 0 to 1") + ", sizes in " +
        (m_saysPackets ? "packets of " + std::to_string(m_options.packetBytes) + " bytes"
                       : std::string{"bytes"}) +
        (isSteps ? ", only the listed sizes" : ", straight lines between points") + "; mean " +
        rdma::Describe(result.m_meanBytes) + " bytes";
    if (m_statedMean && !m_isMeanUsed)
    {
        note += "; the file states " + rdma::Describe(*m_statedMean) + ", which fits neither form";
    }
    notes.push_back(std::move(note));
}

Expected<FlowSizeDistribution>
DistributionParser::Parse(std::string_view text, std::vector<std::string>& notes)
{
    while (!text.empty())
    {
        ++m_line;
        const size_t end = std::min(text.find('\n'), text.size());
        ReadLine(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    constexpr size_t MIN_POINTS = 2;
    if (m_points.size() < MIN_POINTS)
    {
        m_errors.Add(0,
                     "too few points for a distribution",
                     std::to_string(m_points.size()),
                     "at least 2 lines of size and probability");
        return m_errors.Take();
    }
    const double scale = FindScale();
    if (!m_errors.IsEmpty())
    {
        return m_errors.Take();
    }
    if (m_options.unit != SizeUnit::DETECT)
    {
        m_saysPackets = m_options.unit == SizeUnit::PACKETS;
    }
    const double unit = m_saysPackets ? m_options.packetBytes : 1.0;
    if (m_statedMean)
    {
        *m_statedMean *= unit;
    }
    FlowSizeDistribution result;
    for (const Point& point : m_points)
    {
        result.m_points.push_back({point.bytes * unit, point.cumulative / scale});
    }
    ChooseShape(result);
    if (result.m_meanBytes < 1.0)
    {
        m_errors.Add(0, "the mean is below one byte", std::to_string(result.m_meanBytes), "more");
        return m_errors.Take();
    }
    Describe(result, notes);
    return result;
}

Expected<FlowSizeDistribution>
FlowSizeDistribution::Parse(std::string_view text,
                            const std::string& file,
                            const DistributionOptions& options,
                            std::vector<std::string>& notes)
{
    return DistributionParser{file, options}.Parse(text, notes);
}

Expected<FlowSizeDistribution>
FlowSizeDistribution::Load(const std::string& nameOrPath,
                           const std::string& folder,
                           const DistributionOptions& options,
                           std::vector<std::string>& notes)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path named = fs::path{folder} / (nameOrPath + ".csv");
    const bool isPath = fs::is_regular_file(nameOrPath, error);
    if (isPath || (!folder.empty() && fs::is_regular_file(named, error)))
    {
        const std::string path = isPath ? nameOrPath : named.string();
        const Expected<std::string> text = ReadTextFile(path);
        return text ? Parse(*text, path, options, notes)
                    : Expected<FlowSizeDistribution>{text.Errors()};
    }
    Diagnostic diagnostic;
    diagnostic.message = "no such distribution";
    diagnostic.got = nameOrPath;
    diagnostic.expected = "the path of a file, or a name in " + folder;
    for (const auto& entry : fs::directory_iterator{folder, error})
    {
        if (entry.path().extension() == ".csv")
        {
            diagnostic.knownNames.push_back(entry.path().stem().string());
        }
    }
    std::sort(diagnostic.knownNames.begin(), diagnostic.knownNames.end());
    diagnostic.nearest = NearestName(nameOrPath, diagnostic.knownNames);
    return diagnostic;
}

uint64_t
FlowSizeDistribution::Quantile(double u) const
{
    const auto above =
        std::lower_bound(m_points.begin(),
                         m_points.end(),
                         u,
                         [](const Point& point, double value) { return point.cumulative < value; });
    const auto upper = above == m_points.end() ? above - 1 : above;
    double bytes = upper->bytes;
    if (m_shape == Shape::LINES && upper != m_points.begin())
    {
        const Point& lower = *(upper - 1);
        const double width = upper->cumulative - lower.cumulative;
        bytes = width <= 0.0
                    ? upper->bytes
                    : lower.bytes + (upper->bytes - lower.bytes) * (u - lower.cumulative) / width;
    }
    return std::max<uint64_t>(static_cast<uint64_t>(bytes), 1);
}

} // namespace ns3::rdma
