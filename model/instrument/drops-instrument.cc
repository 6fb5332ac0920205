// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/instrument.h"

namespace ns3::rdma
{
namespace
{

/**
 * Writes a row for each frame that is thrown away, wherever and why: corrupted on a cable, without
 * room in a switch, of no use to an interface.
 *
 * The place is the port by which the frame should have left a switch; if it did not come so far,
 * the port at which it arrived; of a cable that is down, the port that sends into it. Frames of
 * other kinds than RoCE have no flow, PSN and opcode, PFC frames no priority.
 */
class DropsInstrument : public Instrument
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::DropsInstrument")
                                .SetParent<Instrument>()
                                .SetGroupName("Rdma")
                                .AddConstructor<DropsInstrument>();
        return tid;
    }

  private:
    InstrumentTraits DoGetTraits() const override
    {
        return {.file = "drops.csv",
                .header = "time_ns,node,port,priority,reason,flow,psn,frame_bytes,opcode",
                .filters = FILTER_NODES | FILTER_PORTS | FILTER_PRIORITIES | FILTER_FLOWS,
                .rowBytes = 75};
    }

    void DoStart() override
    {
        Context().fabric.GetLedger().TraceDrops(
            FrameLedger::DropCallback{[this](const Frame& frame, DropReason reason, uint64_t port)
                                      {
                                          if (IsWanted(frame, port))
                                          {
                                              Write(frame, reason, port);
                                          }
                                      }});
    }

    bool IsWanted(const Frame& frame, uint64_t port) const
    {
        const bool isHere =
            port < Context().fabric.GetLinks().size() ? HasPlace(port) : Filter().HasPlace("", 0);
        const bool isRoce = frame.kind == FrameKind::ROCE;
        const bool isOfFlow = isRoce ? Filter().HasFlow(frame.flow) : Filter().HasAllFlows();
        const bool isOfPriority =
            frame.kind == FrameKind::PFC || Filter().HasPriority(frame.priority);
        return isHere && isOfFlow && isOfPriority && HasTime(Context().fabric.GetEvents().Now());
    }

    void Write(const Frame& frame, DropReason reason, uint64_t port)
    {
        const auto& links = Context().fabric.GetLinks();
        const SimTime now = Context().fabric.GetEvents().Now();
        const bool isRoce = frame.kind == FrameKind::ROCE;
        CsvTable& row = Row(now).Time(now);
        port < links.size() ? row.Text(links[port].from).Integer(links[port].fromPort)
                            : row.Empty().Empty();
        frame.kind != FrameKind::PFC ? row.Integer(frame.priority) : row.Empty();
        row.Text(ToString(reason));
        isRoce ? row.Integer(frame.flow).Integer(frame.psn.Get()) : row.Empty().Empty();
        row.Integer(frame.frameBytes);
        isRoce ? row.Text(GetOpcodeInfo(frame.opcode).name) : row.Empty();
        row.EndRow();
    }
};

NS_OBJECT_ENSURE_REGISTERED(DropsInstrument);

const ComponentHelp HELP{"ns3::rdma::DropsInstrument", "Every frame that is thrown away, and why"};

} // namespace
} // namespace ns3::rdma
