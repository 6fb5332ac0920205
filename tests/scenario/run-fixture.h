// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/run.h"
#include "tests/support/temporary-folder.h"
#include "tests/support/test-scenario.h"

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <sys/time.h>
#include <vector>

namespace ns3::rdma
{

/** A test scenario that can be given to RunScenario. */
inline Scenario
MakeRunScenario(const Topology& topology)
{
    Scenario scenario = MakeTestScenario(topology);
    scenario.results.SetTypeId("ns3::rdma::ResultsSettings");
    return scenario;
}

/** The fields of a line, which has no quoted ones. */
inline std::vector<std::string>
SplitLine(const std::string& line)
{
    std::vector<std::string> fields{""};
    for (const char character : line)
    {
        if (character == ',')
        {
            fields.emplace_back();
        }
        else
        {
            fields.back() += character;
        }
    }
    return fields;
}

/** A run that is over, with its result folder. */
class RunInFolder
{
  public:
    /** Into a folder of its own if none is given. */
    explicit RunInFolder(const Scenario& scenario, const std::filesystem::path& folder = {})
        : m_folder{folder.empty() ? m_temporary.Path() / "out" : folder}
    {
        m_exitCode = RunScenario(
            scenario, {.outFolder = m_folder, .isQuiet = false, .out = &m_out, .err = &m_err});
    }

    int ExitCode() const
    {
        return m_exitCode;
    }

    std::string Out() const
    {
        return m_out.str();
    }

    std::string Err() const
    {
        return m_err.str();
    }

    const std::filesystem::path& Folder() const
    {
        return m_folder;
    }

    std::string Read(const std::string& name) const
    {
        std::ifstream stream{m_folder / name, std::ios::binary};
        return {std::istreambuf_iterator<char>{stream}, {}};
    }

    nlohmann::json Json(const std::string& name) const
    {
        return nlohmann::json::parse(Read(name));
    }

    std::vector<std::string> Lines(const std::string& name) const
    {
        std::istringstream stream{Read(name)};
        std::vector<std::string> lines;
        for (std::string line; std::getline(stream, line);)
        {
            lines.push_back(line);
        }
        return lines;
    }

    std::size_t CountLines(const std::string& name) const
    {
        return Lines(name).size();
    }

    /** A cell of a table; rows count from 1, under the header. "?" if there is none. */
    std::string Cell(const std::string& name, std::size_t row, const std::string& column) const
    {
        const std::vector<std::string> lines = Lines(name);
        if (row >= lines.size())
        {
            return "?";
        }
        const std::vector<std::string> header = SplitLine(lines.front());
        const auto found = std::find(header.begin(), header.end(), column);
        const std::vector<std::string> cells = SplitLine(lines[row]);
        return found == header.end() || cells.size() != header.size()
                   ? "?"
                   : cells[static_cast<std::size_t>(found - header.begin())];
    }

  private:
    TemporaryFolder m_temporary;
    std::filesystem::path m_folder;
    std::ostringstream m_out;
    std::ostringstream m_err;
    int m_exitCode{0};
};

/** Presses Ctrl-C as soon as somebody listens to it. */
class InterruptSoon
{
  public:
    InterruptSoon()
    {
        struct sigaction action
        {
        };
        action.sa_handler = [](int)
        {
            struct sigaction current
            {
            };
            sigaction(SIGINT, nullptr, &current);
            if (current.sa_handler != SIG_DFL)
            {
                raise(SIGINT);
            }
        };
        sigaction(SIGALRM, &action, &m_previous);
        Set(PERIOD_US);
    }

    ~InterruptSoon()
    {
        Set(0);
        sigaction(SIGALRM, &m_previous, nullptr);
    }

    InterruptSoon(const InterruptSoon&) = delete;
    InterruptSoon& operator=(const InterruptSoon&) = delete;

  private:
    static constexpr int PERIOD_US = 10'000;

    static void Set(int microseconds)
    {
        const itimerval timer{{0, microseconds}, {0, microseconds}};
        setitimer(ITIMER_REAL, &timer, nullptr);
    }

    struct sigaction m_previous
    {
    };
};

} // namespace ns3::rdma
