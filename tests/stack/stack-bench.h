// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/application-runner.h"
#include "tests/support/test-scenario.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** Attributes of a component, as text. */
using Texts = std::vector<std::pair<std::string, std::string>>;

/** A scenario to which applications over ns-3's stack are added; then it runs. */
class StackBench
{
  public:
    explicit StackBench(Scenario scenario) : m_scenario{std::move(scenario)}
    {
        m_scenario.hasIpStack = true;
    }

    /** @param type "TcpWorkload" or "UdpWorkload" */
    void Add(const std::string& type, const Texts& attributes)
    {
        ObjectFactory factory{"ns3::rdma::" + type};
        for (const auto& [name, value] : attributes)
        {
            factory.Set(name, StringValue{value});
        }
        const Diagnostics errors = factory.Create<Application>()->Check(m_scenario.topology);
        EXPECT_TRUE(errors.empty()) << ToString(errors);
        m_scenario.applications.push_back({"workload", factory, nullptr});
    }

    Scenario& GetScenario()
    {
        return m_scenario;
    }

    /** Makes everything; nothing can be added after that. */
    void Build()
    {
        m_run = std::make_unique<TestRun>(m_scenario);
        m_applications = std::make_unique<ApplicationRunner>(
            m_run->GetFabric(), m_scenario, m_run->GetRunner().GetObserver());
        m_applications->SetDoneCallback([](SimTime) { Simulator::Stop(); });
    }

    /** Until all applications have ended. */
    void RunToEnd()
    {
        if (!m_run)
        {
            Build();
        }
        Simulator::Run();
        m_run->GetFabric().Settle(Now());
    }

    void RunUntil(SimTime end)
    {
        if (!m_run)
        {
            Build();
        }
        m_run->RunUntil(end);
    }

    SimTime Now() const
    {
        return m_run->GetFabric().GetEvents().Now();
    }

    TestRun& GetRun()
    {
        return *m_run;
    }

    ApplicationRunner& GetApplications()
    {
        return *m_applications;
    }

    /** Rows of all tables, cells by column. */
    std::vector<std::map<std::string, std::string>> GetRows() const
    {
        std::vector<std::map<std::string, std::string>> rows;
        for (const ResultTable& table : m_applications->GetTables())
        {
            for (const auto& cells : table.rows)
            {
                auto& row = rows.emplace_back();
                for (std::size_t i = 0; i < cells.size(); ++i)
                {
                    row[table.columns[i]] = cells[i];
                }
            }
        }
        return rows;
    }

    /** A number of all rows, summed up. */
    double Sum(const std::string& column) const
    {
        double sum = 0;
        for (const auto& row : GetRows())
        {
            sum += std::stod(row.at(column));
        }
        return sum;
    }

    ~StackBench()
    {
        m_applications.reset();
        m_run.reset();
    }

    StackBench(const StackBench&) = delete;
    StackBench& operator=(const StackBench&) = delete;

  private:
    Scenario m_scenario;
    std::unique_ptr<TestRun> m_run;
    std::unique_ptr<ApplicationRunner> m_applications;
};

} // namespace ns3::rdma
