// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/instrument.h"
#include "scenario/late-rows.h"

#include "ns3/callback.h"

namespace ns3::rdma
{
namespace
{

/** Something did not go well on a connection. */
struct TransportRow
{
    SimTime time{};
    uint64_t place{0}; ///< number of the interface
    TransportEvent event{};
};

/**
 * Writes what connections do when not all goes well: packets that are sent again, NAKs at both
 * ends, timeouts, completions in error.
 */
class TransportInstrument : public Instrument
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TransportInstrument")
                                .SetParent<Instrument>()
                                .SetGroupName("Rdma")
                                .AddConstructor<TransportInstrument>();
        return tid;
    }

  private:
    InstrumentTraits DoGetTraits() const override
    {
        return {.file = "transport.csv",
                .header = "time_ns,event,flow,psn,detail",
                .filters = FILTER_NODES | FILTER_FLOWS,
                .rowBytes = 40};
    }

    void DoStart() override
    {
        const auto& interfaces = Context().fabric.GetInterfaces();
        for (uint32_t number = 0; number < interfaces.size(); ++number)
        {
            if (!HasPlace(interfaces[number]->GetPort().GetConfig().id))
            {
                continue;
            }
            interfaces[number]->TraceConnectWithoutContext(
                "Transport",
                Callback<void, const TransportEvent&>{[this, number](const TransportEvent& event)
                                                      { Note(number, event); }});
        }
    }

    void Note(uint32_t interface, const TransportEvent& event)
    {
        if (HasTime(event.time) && Filter().HasFlow(event.flow))
        {
            m_rows.Add({event.time, interface, event});
            SettleIfMany(m_rows.GetCount());
        }
    }

    void DoSettle(SimTime now) override
    {
        m_rows.TakeBefore(
            now,
            [this](const TransportRow& late)
            {
                CsvTable& row = Row(late.time);
                row.Time(late.time).Text(ToString(late.event.type)).Integer(late.event.flow);
                late.event.psn ? row.Integer(late.event.psn->Get()) : row.Empty();
                row.Text(late.event.detail).EndRow();
            });
    }

    LateRows<TransportRow> m_rows;
};

NS_OBJECT_ENSURE_REGISTERED(TransportInstrument);

const ComponentHelp HELP{"ns3::rdma::TransportInstrument",
                         "Retransmissions, NAKs, timeouts and errors of connections"};

} // namespace
} // namespace ns3::rdma
