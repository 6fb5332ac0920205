// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/instrument.h"

namespace ns3::rdma
{
namespace
{

/**
 * Samples how busy each direction of each cable was since the last sample, preambles and gaps
 * counted: bytes that had passed the transmitter by then, parts of frames too.
 *
 * Rows are those of directions that were busy at all, and the first at which they are not.
 */
class UtilisationInstrument : public Instrument
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::UtilisationInstrument")
                                .SetParent<Instrument>()
                                .SetGroupName("Rdma")
                                .AddConstructor<UtilisationInstrument>();
        return tid;
    }

  private:
    static constexpr unsigned __int128 BIT_PS_PER_BYTE = 8'000'000'000'000; ///< 8 bits x 1e12 ps/s

    InstrumentTraits DoGetTraits() const override
    {
        return {.file = "utilisation.csv",
                .header = "time_ns,link,from,from_port,to,to_port,wire_bytes,utilisation",
                .filters = FILTER_NODES | FILTER_PORTS,
                .interval = IntervalUse::REQUIRED,
                .rowBytes = 44};
    }

    double DoEstimateRows(const RunEstimate& run) const override
    {
        return run.samples * run.directions;
    }

    void DoStart() override
    {
        m_sent.resize(Context().fabric.GetLinks().size());
    }

    void DoSample(SimTime now) override
    {
        for (uint32_t direction = 0; direction < m_sent.size(); ++direction)
        {
            if (HasPlace(direction))
            {
                Write(direction, now);
            }
        }
    }

    /** What a direction had sent at its last sample. */
    struct Sent
    {
        uint64_t bytes{0};
        SimTime busy{};
        bool wasBusy{false};
    };

    void Write(uint32_t direction, SimTime now)
    {
        const FabricLink& link = Context().fabric.GetLinks()[direction];
        link.port->Advance(now);
        const PortCounters counters = link.port->GetCounters();
        // The newest frame is counted whole; the part that is still to be sent is not of this time.
        const SimTime ahead = counters.busyUntil > now ? counters.busyUntil - now : SimTime{};
        const uint64_t rate = link.port->GetConfig().rate.bps;
        const auto unsent = static_cast<uint64_t>(
            (static_cast<unsigned __int128>(ahead.ps) * rate + BIT_PS_PER_BYTE - 1) /
            BIT_PS_PER_BYTE);
        Sent& last = m_sent[direction];
        const Sent sent{
            std::max(last.bytes, counters.wireBytes - std::min(unsent, counters.wireBytes)),
            std::max(last.busy, link.port->GetBusyTime() - ahead)};
        const SimTime busy = sent.busy - last.busy;
        if (busy.ps != 0 || last.wasBusy)
        {
            Row(now)
                .Time(now)
                .Integer(link.link)
                .Text(link.from)
                .Integer(link.fromPort)
                .Text(link.to)
                .Integer(link.toPort)
                .Integer(sent.bytes - last.bytes)
                .Ratio(static_cast<double>(busy.ps) / static_cast<double>(GetInterval().ps))
                .EndRow();
        }
        last = {sent.bytes, sent.busy, busy.ps != 0};
    }

    std::vector<Sent> m_sent; ///< by direction
};

NS_OBJECT_ENSURE_REGISTERED(UtilisationInstrument);

const ComponentHelp HELP{"ns3::rdma::UtilisationInstrument",
                         "How busy each direction of each cable is"};

} // namespace
} // namespace ns3::rdma
