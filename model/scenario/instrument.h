// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "base/settings-check.h"
#include "scenario/fabric.h"
#include "scenario/flow-runner.h"
#include "scenario/instrument-filter.h"
#include "scenario/run-observers.h"
#include "trace/csv-table.h"

#include "ns3/object.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** The filters of instruments, as bits. */
enum InstrumentFilters : uint8_t
{
    FILTER_NODES = 1 << 0,
    FILTER_PORTS = 1 << 1,
    FILTER_PRIORITIES = 1 << 2,
    FILTER_FLOWS = 1 << 3,
};

/** What an instrument does with the attribute Interval. */
enum class IntervalUse : uint8_t
{
    NONE,     ///< it writes what happens, when it happens
    REQUIRED, ///< it samples
    OPTIONAL, ///< it samples; with 0 it writes every change
};

/** What is fixed for all objects of a class of instruments. */
struct InstrumentTraits
{
    std::string_view file;   ///< name of its file, unless the user gives another
    std::string_view header; ///< columns
    uint8_t filters{0};      ///< InstrumentFilters that mean something to it
    IntervalUse interval{IntervalUse::NONE};
    uint32_t rowBytes{0}; ///< of a typical row, for the estimate
};

/** What a run is expected to be, as far as an instrument looks: its filters and times applied. */
struct RunEstimate
{
    double samples{0};     ///< 0 without an interval
    double switchPorts{0}; ///< egress ports of switches
    double directions{0};  ///< of cables
    double switches{0};
    double flows{0};
    double packets{0};    ///< of flows, each counted once
    double packetHops{0}; ///< times the switches that each passes
};

/** What an instrument works with; all of it outlives the instrument. */
struct InstrumentContext
{
    const Scenario& scenario;
    Fabric& fabric;
    const FlowRunner& runner;
    RunObservers& observers;
};

/**
 * Looks at a run and writes what it sees into a table of its own; it changes nothing.
 *
 * A new instrument is one file below model/instrument: a child of this class, registered, chosen
 * by its name in the scenario list `instruments`. The base samples, filters by place and time, ends
 * the file at its largest size; a child says what it looks at and makes rows.
 *
 * A child that looks at packets is told of some things late, because ports are lazy: rows that must
 * be ordered by time wait in LateRows until DoSettle.
 */
class Instrument : public Object, public SettingsCheck
{
  public:
    static TypeId GetTypeId();

    /** @return filters that mean nothing to this instrument or cannot be read, a bad interval */
    Diagnostics CheckSettings() const override;

    /** Applies the filters to a fabric. @return what they name that is not there */
    Diagnostics Resolve(const Scenario& scenario, const Fabric& fabric);

    /** Name of its file in the result folder. */
    std::string GetFile() const;

    /** The size that its file may reach; 0 if that cannot be known. @param end of the run */
    ByteCount EstimateSize(const Scenario& scenario, const FlowRunner& runner, SimTime end) const;

    /**
     * Begins to look; before the run, after Resolve.
     *
     * @param file  receives the header at once
     * @param order tells its events from those of other instruments
     */
    void Start(const InstrumentContext& context, ResultFile& file, uint32_t order);

    /** Writes what is left; the fabric is settled at the end. */
    void Finish(SimTime end);

    /** What is not in the file because it is full, in a sentence. */
    std::optional<std::string> GetShortfall() const;

  protected:
    /** Begins a row that is about a time. */
    CsvTable& Row(SimTime when);

    const InstrumentContext& Context() const
    {
        return *m_context;
    }

    const InstrumentFilter& Filter() const
    {
        return m_filter;
    }

    SimTime GetInterval() const
    {
        return m_interval;
    }

    /** Whether a time lies within the attributes From and To. */
    bool HasTime(SimTime when) const
    {
        return m_from <= when && when <= m_to;
    }

    /** Whether the port that sends in a direction of Fabric::GetLinks passes the filters. */
    bool HasPlace(uint64_t direction) const
    {
        return direction < m_hasPlace.size() && m_hasPlace[direction];
    }

    /** Directions with a switch's port that passes the filters. */
    const std::vector<uint32_t>& GetSwitchPlaces() const
    {
        return m_switchPlaces;
    }

    /** Has DoSettle called soon, if many rows wait. */
    void SettleIfMany(std::size_t waiting);

    void DoDispose() override;

  private:
    virtual InstrumentTraits DoGetTraits() const = 0;

    /** Rows that a run may make at most, or about; 0 if that cannot be known before it. */
    virtual double DoEstimateRows(const RunEstimate&) const
    {
        return 0;
    }

    /** Connects to what it looks at. */
    virtual void DoStart() = 0;

    /** Writes a sample. The first one with From is muted: its rows come to nothing. */
    virtual void DoSample(SimTime) {}

    /** Writes rows that wait: all that is before a time has been told. */
    virtual void DoSettle(SimTime) {}

    /** Writes the last rows, DoSettle has been called. */
    virtual void DoFinish(SimTime) {}

    static TypeId AddFilters(TypeId tid);
    RunEstimate EstimateRun(const Scenario& scenario, const FlowRunner& runner, SimTime end) const;
    void EstimateTraffic(const Scenario& scenario,
                         const FlowRunner& runner,
                         RunEstimate& run) const;
    void OnSample(SimTime now);
    void OnSettle(SimTime now);

    std::string m_nodes;
    std::string m_ports;
    std::string m_priorities;
    std::string m_flows;
    SimTime m_interval{};
    SimTime m_from{};
    SimTime m_to{SimTime::Never()};
    std::string m_file;
    ByteCount m_maxBytes{};

    InstrumentFilter m_filter;
    std::vector<bool> m_hasPlace;         ///< by direction
    std::vector<uint32_t> m_switchPlaces; ///< directions
    std::optional<InstrumentContext> m_context;
    std::optional<CsvTable> m_table;
    SimTime m_lastRow{}; ///< time of the first row that was left out, once the table is full
    Event m_sample;
    Event m_settle;
    bool m_isSettling{false};
};

} // namespace ns3::rdma
