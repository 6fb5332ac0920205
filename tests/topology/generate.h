// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "topology/topology-generator.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <unistd.h>

namespace ns3::rdma
{

/** A path for a file or folder of a test, which no other process uses. */
inline std::filesystem::path
TemporaryPath(const std::string& name)
{
    return std::filesystem::temp_directory_path() /
           ("rdmasim-" + name + "-" + std::to_string(getpid()));
}

/** Attributes by name, as texts. */
using AttributeTexts = std::map<std::string, std::string>;

/** Makes an object of a class of ours and sets attributes; an unknown or refused one aborts. */
template <typename T>
Ptr<T>
Make(const std::string& name, const AttributeTexts& attributes)
{
    ObjectFactory factory{"ns3::rdma::" + name};
    for (const auto& [attribute, text] : attributes)
    {
        factory.Set(attribute, StringValue{text});
    }
    return factory.Create<T>();
}

inline Expected<Topology>
Generate(const std::string& name, const AttributeTexts& attributes = {})
{
    return Make<TopologyGenerator>(name, attributes)->Generate();
}

/** The topology; an empty one, and a failure, if there is none. */
inline Topology
MustGenerate(const std::string& name, const AttributeTexts& attributes = {})
{
    const auto topology = Generate(name, attributes);
    if (!topology)
    {
        ADD_FAILURE() << ToString(topology.Errors()[0]);
        return {};
    }
    return *topology;
}

/** The text of the only diagnostic; a failure if there is a value or are several. */
template <typename T>
std::string
OnlyError(const Expected<T>& result)
{
    if (result || result.Errors().size() != 1)
    {
        ADD_FAILURE() << (result ? "no error" : std::to_string(result.Errors().size()) + " errors");
        return {};
    }
    return ToString(result.Errors()[0]);
}

/** How many links join two nodes of these names, in either order. */
inline size_t
CountLinks(const Topology& topology, const std::string& a, const std::string& b)
{
    size_t count = 0;
    for (const TopologyLink& link : topology.links)
    {
        const std::string& first = topology.nodes[link.a].name;
        const std::string& second = topology.nodes[link.b].name;
        count += (first == a && second == b) || (first == b && second == a) ? 1 : 0;
    }
    return count;
}

inline size_t
CountHosts(const Topology& topology)
{
    size_t count = 0;
    for (const TopologyNode& node : topology.nodes)
    {
        count += node.kind == NodeKind::HOST ? 1 : 0;
    }
    return count;
}

/** Links without names and origins, to compare a generated topology with a file. */
inline std::vector<TopologyLink>
WithoutOrigins(const Topology& topology)
{
    std::vector<TopologyLink> links = topology.links;
    for (TopologyLink& link : links)
    {
        link.origin.clear();
    }
    return links;
}

} // namespace ns3::rdma
