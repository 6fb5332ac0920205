// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/instrument.h"
#include "scenario/late-rows.h"

#include "ns3/callback.h"

namespace ns3::rdma
{
namespace
{

/** A frame was marked. */
struct MarkRow
{
    SimTime time{};
    uint64_t place{0}; ///< direction by which it leaves
    uint8_t priority{0};
    std::optional<uint32_t> flow{}; ///< none of a frame of another stack
    Psn psn{};
    uint64_t queueBytes{0};
};

/** Writes a row for each frame that a switch marks, with the queue that the marker saw. */
class MarksInstrument : public Instrument
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::MarksInstrument")
                                .SetParent<Instrument>()
                                .SetGroupName("Rdma")
                                .AddConstructor<MarksInstrument>();
        return tid;
    }

  private:
    InstrumentTraits DoGetTraits() const override
    {
        return {.file = "marks.csv",
                .header = "time_ns,node,port,priority,flow,psn,queue_bytes",
                .filters = FILTER_NODES | FILTER_PORTS | FILTER_PRIORITIES | FILTER_FLOWS,
                .rowBytes = 45};
    }

    /** At most: a packet is marked once. */
    double DoEstimateRows(const RunEstimate& run) const override
    {
        return run.packets;
    }

    void DoStart() override
    {
        using Sink = Callback<void, uint16_t, const Frame&, uint64_t, SimTime>;
        for (const Ptr<RdmaSwitch>& device : Context().fabric.GetSwitches())
        {
            RdmaSwitch& marking = *device;
            device->TraceConnectWithoutContext(
                "Mark",
                Sink{[this, &marking](
                         uint16_t port, const Frame& frame, uint64_t queueBytes, SimTime when)
                     { Note(marking.GetPort(port), frame, queueBytes, when); }});
        }
    }

    void Note(const EthernetPort& port, const Frame& frame, uint64_t queueBytes, SimTime when)
    {
        const uint64_t direction = port.GetConfig().id;
        const bool isRoce = frame.kind == FrameKind::ROCE;
        const bool isOfFlow = isRoce ? Filter().HasFlow(frame.flow) : Filter().HasAllFlows();
        if (HasPlace(direction) && HasTime(when) && Filter().HasPriority(frame.priority) &&
            isOfFlow)
        {
            const auto flow = isRoce ? std::optional{frame.flow} : std::nullopt;
            m_rows.Add({when, direction, frame.priority, flow, frame.psn, queueBytes});
            SettleIfMany(m_rows.GetCount());
        }
    }

    void DoSettle(SimTime now) override
    {
        m_rows.TakeBefore(now, [this](const MarkRow& row) { Write(row); });
    }

    void Write(const MarkRow& mark)
    {
        const FabricLink& link = Context().fabric.GetLinks()[mark.place];
        CsvTable& row = Row(mark.time).Time(mark.time).Text(link.from).Integer(link.fromPort);
        row.Integer(mark.priority);
        mark.flow ? row.Integer(*mark.flow).Integer(mark.psn.Get()) : row.Empty().Empty();
        row.Integer(mark.queueBytes).EndRow();
    }

    LateRows<MarkRow> m_rows;
};

NS_OBJECT_ENSURE_REGISTERED(MarksInstrument);

const ComponentHelp HELP{"ns3::rdma::MarksInstrument", "Every frame that a switch marks"};

} // namespace
} // namespace ns3::rdma
