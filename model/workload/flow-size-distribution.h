// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** Which unit the sizes of a distribution file are in. */
enum class SizeUnit : uint8_t
{
    DETECT, ///< by the file's own words
    BYTES,
    PACKETS,
};

/** How to read a distribution file where it does not say so itself. */
struct DistributionOptions
{
    SizeUnit unit{SizeUnit::DETECT};
    /**
     * Bytes of a packet, for sizes in packets.
     *
     * @choice 1500: the web search distribution in packets of PlatformLab's HomaSimulation has 1333
     * and 3333 packets where HKUST's TrafficGenerator has 2 000 000 and 5 000 000 bytes
     */
    uint32_t packetBytes{1500};
};

/**
 * How large flows are: a cumulative distribution given by points.
 *
 * Between two points sizes are spread evenly, unless the file states a mean that fits the listed
 * sizes alone: then only those occur. A first point above probability 0 has that probability
 * itself.
 */
class FlowSizeDistribution
{
  public:
    struct Point
    {
        double bytes{0};
        double cumulative{0}; ///< probability, 0 .. 1, of at most so many bytes

        bool operator==(const Point&) const = default;
    };

    /** What lies between two points. */
    enum class Shape : uint8_t
    {
        LINES, ///< all sizes between, evenly
        STEPS, ///< nothing: the larger size has the whole probability
    };

    /**
     * Reads a distribution, in any of the forms that published simulators use.
     *
     * Lines of "size probability", separated by blanks, commas or semicolons, or "size n
     * probability" (ns-2; in packets). Probabilities end at 1 or at 100 (percent). '#' begins a
     * comment. A first line of one number is the mean. A line of column names, or a comment, may
     * say that sizes are packets.
     *
     * @param text  the content
     * @param file  its name, for messages
     * @param notes receives how the file was understood, and the mean
     * @error malformed lines, sizes or probabilities that fall, a last probability that is neither
     * 1 nor 100, fewer than two points; each with its line
     */
    static Expected<FlowSizeDistribution> Parse(std::string_view text,
                                                const std::string& file,
                                                const DistributionOptions& options,
                                                std::vector<std::string>& notes);

    /**
     * Reads a distribution by path, or by the name of a .csv file in a folder.
     *
     * @param nameOrPath "websearch" or "sizes/mine.txt"
     * @param folder     where named distributions are; empty: none
     * @error no such file (with the names in the folder), and those of Parse
     */
    static Expected<FlowSizeDistribution> Load(const std::string& nameOrPath,
                                               const std::string& folder,
                                               const DistributionOptions& options,
                                               std::vector<std::string>& notes);

    /** Mean size in bytes, before rounding to whole bytes. */
    double GetMeanBytes() const
    {
        return m_meanBytes;
    }

    /**
     * The size below which a share of all flows lies.
     *
     * @param u 0 .. 1, 1 excluded
     * @return whole bytes, rounded down, at least 1
     */
    uint64_t Quantile(double u) const;

    Shape GetShape() const
    {
        return m_shape;
    }

    const std::vector<Point>& GetPoints() const
    {
        return m_points;
    }

  private:
    friend class DistributionParser;

    std::vector<Point> m_points;
    Shape m_shape{Shape::LINES};
    double m_meanBytes{0};
};

} // namespace ns3::rdma
