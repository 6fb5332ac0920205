// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "instrument/buffer-track.h"
#include "scenario/instrument.h"

#include "ns3/callback.h"

namespace ns3::rdma
{
namespace
{

/**
 * Samples what switches hold in their buffers, and the most that they held since the last sample.
 *
 * The samples are exact: all ports have made up for their departures. So is the watermark: it
 * follows each frame that comes and each that leaves, in the order of time.
 *
 * Rows are those of switches that held something, and the first at which they did not.
 */
class BuffersInstrument : public Instrument
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::BuffersInstrument")
                                .SetParent<Instrument>()
                                .SetGroupName("Rdma")
                                .AddConstructor<BuffersInstrument>();
        return tid;
    }

  private:
    /** A switch that it looks at. */
    struct Watched
    {
        RdmaSwitch* device{nullptr};
        BufferTrack track{};
        bool wasUsed{false};
    };

    InstrumentTraits DoGetTraits() const override
    {
        return {.file = "buffers.csv",
                .header = "time_ns,node,used_bytes,shared_bytes,headroom_bytes,watermark_bytes",
                .filters = FILTER_NODES,
                .interval = IntervalUse::REQUIRED,
                .rowBytes = 48};
    }

    double DoEstimateRows(const RunEstimate& run) const override
    {
        return run.samples * run.switches;
    }

    void DoStart() override
    {
        for (const Ptr<RdmaSwitch>& device : Context().fabric.GetSwitches())
        {
            if (Filter().HasNode(device->GetName()))
            {
                m_watched.push_back(std::make_unique<Watched>());
                m_watched.back()->device = PeekPointer(device);
                Watch(*m_watched.back());
            }
        }
    }

    void Watch(Watched& watched)
    {
        using Sink = Callback<void, uint16_t, const Frame&, uint64_t, SimTime>;
        RdmaSwitch& device = *watched.device;
        device.WatchQueues();
        device.TraceConnectWithoutContext(
            "Queue",
            Sink{[this, &watched](uint16_t, const Frame& frame, uint64_t, SimTime now)
                 {
                     watched.track.OnArrival(frame.frameBytes, now);
                     SettleIfMany(watched.track.GetWaitingCount());
                 }});
        device.TraceConnectWithoutContext(
            "Start",
            Sink{[&watched](uint16_t port, const Frame& frame, uint64_t, SimTime start)
                 {
                     const PortConfig& config = watched.device->GetPort(port).GetConfig();
                     watched.track.OnStart(port, config.rate, frame.frameBytes, start);
                 }});
        device.TraceConnectWithoutContext(
            "Flush",
            Callback<void, uint16_t, const Departure&, SimTime>{
                [&watched](uint16_t, const Departure& flushed, SimTime now)
                { watched.track.OnFlush(flushed.frameBytes, now); }});
    }

    void DoSample(SimTime now) override
    {
        for (const auto& watched : m_watched)
        {
            watched->device->Settle(now);
            const BufferUse use = watched->device->GetBuffer().GetUse();
            const uint64_t watermark = watched->track.TakeWatermark(now);
            const bool isUsed = use.heldBytes != 0 || watermark != 0;
            if (isUsed || watched->wasUsed)
            {
                Row(now)
                    .Time(now)
                    .Text(watched->device->GetName())
                    .Integer(use.heldBytes)
                    .Integer(use.sharedBytes)
                    .Integer(use.headroomBytes)
                    .Integer(watermark)
                    .EndRow();
            }
            watched->wasUsed = isUsed;
            watched->track.Begin(use.heldBytes);
        }
    }

    void DoSettle(SimTime now) override
    {
        for (const auto& watched : m_watched)
        {
            watched->track.Follow(now);
        }
    }

    std::vector<std::unique_ptr<Watched>> m_watched;
};

NS_OBJECT_ENSURE_REGISTERED(BuffersInstrument);

const ComponentHelp HELP{"ns3::rdma::BuffersInstrument",
                         "What switches hold in their shared buffers"};

} // namespace
} // namespace ns3::rdma
