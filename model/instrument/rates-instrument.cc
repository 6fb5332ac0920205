// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "instrument/round-trips.h"
#include "scenario/instrument.h"

#include <array>
#include <memory>

namespace ns3::rdma
{
namespace
{

/** Whole bits per second of bytes in a time. */
uint64_t
ToBitRate(uint64_t bytes, SimTime time)
{
    constexpr unsigned __int128 BIT_PS_PER_BYTE = 8'000'000'000'000; // 8 bits x 1e12 ps/s
    return static_cast<uint64_t>(bytes * BIT_PS_PER_BYTE / time.ps);
}

/** Keeps the values that have a column. */
class NamedCells : public StateSink
{
  public:
    enum Column : uint8_t
    {
        WINDOW,
        IN_FLIGHT,
        ALPHA,
        CNPS,
        COUNT,
    };

    void Put(std::string_view name, double value) override
    {
        constexpr std::array<std::string_view, COUNT> NAMES{
            "window_bytes", "in_flight_bytes", "alpha", "cnps"};
        const auto found = std::ranges::find(NAMES, name);
        if (found != NAMES.end())
        {
            m_values[static_cast<std::size_t>(found - NAMES.begin())] = value;
        }
    }

    /** Writes a value as a whole number. */
    void WriteWhole(Column column, CsvTable& row) const
    {
        m_values[column] ? row.Integer(static_cast<uint64_t>(*m_values[column])) : row.Empty();
    }

    void WriteRatio(Column column, CsvTable& row) const
    {
        m_values[column] ? row.Ratio(*m_values[column]) : row.Empty();
    }

  private:
    std::array<std::optional<double>, COUNT> m_values{};
};

/**
 * Samples flows that send: what they may, what they do, and what they know of the network.
 *
 * A flow has rows from its first sample to the first one after its end. What has no value, such as
 * alpha where congestion control has none, is an empty cell.
 */
class RatesInstrument : public Instrument
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::RatesInstrument")
                                .SetParent<Instrument>()
                                .SetGroupName("Rdma")
                                .AddConstructor<RatesInstrument>();
        return tid;
    }

  private:
    /** A flow whose rate is sampled. */
    struct SendingFlow
    {
        uint32_t number{0};
        uint64_t ackedBytes{0}; ///< at its last sample
    };

    InstrumentTraits DoGetTraits() const override
    {
        return {.file = "rates.csv",
                .header = "time_ns,flow,rate_bps,goodput_bps,window_bytes,in_flight_bytes,rtt_ns,"
                          "alpha,cnps",
                .filters = FILTER_FLOWS,
                .interval = IntervalUse::REQUIRED,
                .rowBytes = 75};
    }

    /** At most: all flows send all the time. */
    double DoEstimateRows(const RunEstimate& run) const override
    {
        return run.samples * run.flows;
    }

    void DoStart() override
    {
        const FlowRunner& runner = Context().runner;
        m_roundTrips.resize(Context().fabric.GetInterfaces().size());
        for (uint32_t flow = 0; flow < runner.GetFlows().size(); ++flow)
        {
            const uint32_t interface = runner.GetRecords()[flow].interfaces.source;
            if (Filter().HasFlow(flow) && !m_roundTrips[interface])
            {
                EthernetPort& port = Context().fabric.GetInterfaces()[interface]->GetPort();
                m_roundTrips[interface] = std::make_unique<RoundTrips>(
                    port, [this](uint32_t number) { return Filter().HasFlow(number); });
                port.AddTap(*m_roundTrips[interface]);
            }
        }
    }

    void DoSample(SimTime now) override
    {
        const auto& records = Context().runner.GetRecords();
        for (; m_nextFlow < records.size() && records[m_nextFlow].isStarted; ++m_nextFlow)
        {
            if (Filter().HasFlow(m_nextFlow))
            {
                m_sending.push_back({m_nextFlow, 0});
            }
        }
        std::erase_if(m_sending, [this, now](SendingFlow& flow) { return !WriteRow(flow, now); });
    }

    /** @return whether the flow goes on */
    bool WriteRow(SendingFlow& flow, SimTime now)
    {
        const FlowRecord& record = Context().runner.GetRecords()[flow.number];
        Rnic& device = *Context().fabric.GetInterfaces()[record.interfaces.source];
        RoundTrips& roundTrips = *m_roundTrips[record.interfaces.source];
        const bool hasEnded = record.IsFinished() || record.HasFailed();
        const uint64_t acked = Context().runner.GetStatistics(flow.number).bytesAcked;
        NamedCells cells;
        device.Describe(record.sourceQp, now, cells);
        CsvTable& row = Row(now);
        row.Time(now)
            .Integer(flow.number)
            .Integer(hasEnded ? 0 : device.GetSendRate(record.sourceQp, now).bps)
            .Integer(ToBitRate(acked - flow.ackedBytes, GetInterval()));
        cells.WriteWhole(NamedCells::WINDOW, row);
        cells.WriteWhole(NamedCells::IN_FLIGHT, row);
        const auto roundTrip = roundTrips.Find(flow.number);
        roundTrip ? row.Time(*roundTrip) : row.Empty();
        cells.WriteRatio(NamedCells::ALPHA, row);
        cells.WriteWhole(NamedCells::CNPS, row);
        row.EndRow();
        flow.ackedBytes = acked;
        if (hasEnded)
        {
            roundTrips.Forget(flow.number);
        }
        return !hasEnded;
    }

    std::vector<std::unique_ptr<RoundTrips>> m_roundTrips; ///< by interface; null: no flow of it
    std::vector<SendingFlow> m_sending;
    uint32_t m_nextFlow{0}; ///< the first that had not started at the last sample
};

NS_OBJECT_ENSURE_REGISTERED(RatesInstrument);

const ComponentHelp HELP{"ns3::rdma::RatesInstrument",
                         "What sending flows may and do send, and what they know of the network"};

} // namespace
} // namespace ns3::rdma
