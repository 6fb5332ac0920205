// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "topology/topology.h"

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** How many nodes and links a generator is about to make. */
struct TopologySize
{
    double nodes{0}; ///< a floating-point number, so that absurd products do not wrap
    double links{0};
};

/**
 * What is wrong with a topology, wherever it came from.
 *
 * Rates lie in 10 Mb/s .. 1.6 Tb/s, delays in 0 .. 100 ms, loss rates in 0 .. 1, names are unique
 * and not empty, no link joins a node to itself, and there is a host.
 *
 * @return empty if nothing is wrong; a link read from a file names its line
 */
Diagnostics ValidateTopology(const Topology& topology);

/**
 * Makes a topology from its attributes.
 *
 * A child writes DoGenerate; Generate refuses sizes beyond MAX_NODES and MAX_LINKS before it is
 * called and validates what it made. Diagnostics name attributes in snake case, as a scenario
 * spells them ("hosts_per_leaf").
 */
class TopologyGenerator : public Object
{
  public:
    static constexpr double MAX_NODES = 1e6; ///< @choice ten times the largest published fabrics
    static constexpr double MAX_LINKS = 1e7; ///< @choice ten ports a node

    static TypeId GetTypeId();

    /**
     * Makes the topology.
     *
     * @error an attribute out of range, a size that is absurd (with the computed number), a file
     * that cannot be read, or whatever ValidateTopology finds
     */
    Expected<Topology> Generate() const;

    /** What a person should know about the result ("lines after the last link were not read"). */
    const std::vector<std::string>& Notes() const
    {
        return m_notes;
    }

  protected:
    /** Adds a remark that Notes shows. */
    void Note(std::string text) const
    {
        m_notes.push_back(std::move(text));
    }

    /** Reads a topology from a file. */
    using FileReader = Expected<Topology> (*)(const std::string& path,
                                              std::vector<std::string>& notes);

    /** Reads the file that the attribute File names, and keeps its notes. */
    Expected<Topology> ReadFile(const std::string& path, FileReader reader) const;

  private:
    /** What the attributes ask for; zero where it is not known before a file was read. */
    virtual TopologySize DoPredictSize() const = 0;

    /** Makes the topology; only called when the size is sane. */
    virtual Expected<Topology> DoGenerate() const = 0;

    mutable std::vector<std::string> m_notes; ///< filled by the last Generate
};

} // namespace ns3::rdma
