// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3::rdma
{

/** What a trace asks for and the model lacks, and how often. */
class ReplayRefusals
{
  public:
    void Add(const std::string& what)
    {
        ++m_counts[what];
    }

    Diagnostics ToDiagnostics() const
    {
        Diagnostics findings;
        for (const auto& [what, count] : m_counts)
        {
            Diagnostic finding;
            finding.key = "files";
            finding.message = what + ": not modelled, " + std::to_string(count) + " in the trace";
            findings.push_back(finding);
        }
        return findings;
    }

  private:
    std::map<std::string, uint64_t> m_counts;
};

} // namespace ns3::rdma
