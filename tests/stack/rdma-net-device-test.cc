// SPDX-License-Identifier: GPL-2.0-only
#include "stack/rdma-net-device.h"
#include "tests/support/test-scenario.h"

#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

constexpr uint16_t IPV4 = 0x0800;

/** Two nodes of ns-3 on the interfaces of two hosts, one switch between them. */
class DeviceBench
{
  public:
    explicit DeviceBench(const std::string& queueBytes = "125KB")
        : run{MakeScenario(queueBytes)},
          channel{CreateObject<RdmaChannel>()}
    {
        for (uint32_t i = 0; i < 2; ++i)
        {
            nodes.Add(CreateObject<Node>());
            const auto device = CreateObject<RdmaNetDevice>();
            device->Attach(run.GetFabric().GetInterfaces()[i], channel);
            nodes.Get(i)->AddDevice(device);
            devices.push_back(device);
        }
        devices[1]->TraceConnectWithoutContext("MacRx", MakeCallback(&DeviceBench::OnPacket, this));
        devices[0]->TraceConnectWithoutContext("MacTxDrop",
                                               MakeCallback(&DeviceBench::OnDrop, this));
    }

    /** An IPv4 packet of zeros but for its class. */
    static Ptr<Packet> MakePacket(uint32_t bytes, uint8_t priority = 0)
    {
        std::vector<uint8_t> content(bytes);
        content[0] = 0x45;
        content[1] = static_cast<uint8_t>(priority << 5);
        return Create<Packet>(content.data(), bytes);
    }

    bool Send(uint32_t bytes, uint8_t priority = 0)
    {
        return devices[0]->Send(MakePacket(bytes, priority), devices[1]->GetAddress(), IPV4);
    }

    TestRun run;
    Ptr<RdmaChannel> channel;
    NodeContainer nodes;
    std::vector<Ptr<RdmaNetDevice>> devices;
    std::vector<uint32_t> received;
    uint32_t dropped{0};

  private:
    static Scenario MakeScenario(const std::string& queueBytes)
    {
        Scenario scenario =
            MakeTestScenario(MakeStar(2, BitRate::Gbps(100), SimTime::Microseconds(1)));
        scenario.nic.Set("IpQueue", StringValue{queueBytes});
        scenario.hasIpStack = true;
        return scenario;
    }

    void OnPacket(Ptr<const Packet> packet)
    {
        received.push_back(packet->GetSize());
    }

    void OnDrop(Ptr<const Packet>)
    {
        ++dropped;
    }
};

TEST(RdmaNetDevice, IsAnEthernetDevice)
{
    DeviceBench bench;
    const auto device = bench.devices[0];
    EXPECT_EQ(device->GetAddress(), Address{Mac48Address{"02:00:00:00:00:01"}});
    EXPECT_EQ(device->GetMtu(), 1500);
    EXPECT_TRUE(device->SetMtu(4082)); // 4096 with Ethernet's header
    EXPECT_FALSE(device->SetMtu(4083));
    EXPECT_TRUE(device->IsLinkUp());
    EXPECT_TRUE(device->NeedsArp());
    EXPECT_FALSE(device->SupportsSendFrom());
    EXPECT_FALSE(device->IsMulticast());
    EXPECT_FALSE(device->IsPointToPoint());
    EXPECT_EQ(bench.channel->GetNDevices(), 2U);
    EXPECT_EQ(bench.channel->GetDevice(1), bench.devices[1]);
    device->SetAddress(device->GetAddress());
}

TEST(RdmaNetDeviceDeathTest, RefusesWhatIsNotModelled)
{
    DeviceBench bench;
    const auto device = bench.devices[0];
    EXPECT_DEATH(device->SetPromiscReceiveCallback({}), "promiscuous");
    EXPECT_DEATH(device->SetAddress(Mac48Address{"02:00:00:00:00:09"}), "no other");
    EXPECT_DEATH(device->SendFrom(DeviceBench::MakePacket(100),
                                  Mac48Address{"02:00:00:00:00:09"},
                                  bench.devices[1]->GetAddress(),
                                  IPV4),
                 "foreign address");
}

TEST(RdmaNetDevice, CarriesPacketsWithoutPadding)
{
    DeviceBench bench;
    EXPECT_TRUE(bench.Send(21));
    EXPECT_TRUE(bench.Send(1500));
    Simulator::Run();
    // The stack of the receiver has no handler; the device has handed them up all the same.
    EXPECT_THAT(bench.received, testing::ElementsAre(21, 1500));
    EXPECT_EQ(bench.devices[1]->GetCounters().received, 2U);
}

TEST(RdmaNetDevice, RefusesAndCountsWhatItCannotSend)
{
    DeviceBench bench;
    EXPECT_FALSE(bench.Send(1501));
    const auto device = bench.devices[0];
    const auto packet = DeviceBench::MakePacket(100);
    EXPECT_FALSE(device->Send(packet, device->GetBroadcast(), IPV4));
    EXPECT_FALSE(device->Send(packet, Mac48Address{"02:00:00:00:00:07"}, IPV4));
    EXPECT_FALSE(device->Send(packet, bench.devices[1]->GetAddress(), 0x86dd));
    EXPECT_EQ(device->GetCounters().unsupported, 4U);
    EXPECT_EQ(bench.dropped, 4U);
}

TEST(RdmaNetDevice, AFullQueueStopsAndGoesOnAtHalf)
{
    DeviceBench bench{"16KB"};
    const auto queues = bench.devices[0]->GetObject<NetDeviceQueueInterface>();
    ASSERT_EQ(queues->GetNTxQueues(), 8U);
    // One frame of 1518 bytes is on the wire, ten wait: 15180 of 16000 bytes, no room for another.
    for (int i = 0; i < 10; ++i)
    {
        EXPECT_TRUE(bench.Send(1500));
        EXPECT_FALSE(queues->GetTxQueue(0)->IsStopped()) << i;
    }
    EXPECT_TRUE(bench.Send(1500));
    EXPECT_TRUE(queues->GetTxQueue(0)->IsStopped());
    EXPECT_FALSE(queues->GetTxQueue(1)->IsStopped());
    EXPECT_FALSE(bench.Send(1500));
    EXPECT_EQ(bench.devices[0]->GetCounters().queueFull, 1U);
    EXPECT_TRUE(bench.Send(1500, 1)); // another class has room

    // The class above goes first. Of its own five frames must start until at most 8000 bytes wait.
    constexpr int64_t FRAME_PS = 1538 * 80;
    Simulator::Stop(PicoSeconds(6 * FRAME_PS - 1));
    Simulator::Run();
    EXPECT_TRUE(queues->GetTxQueue(0)->IsStopped());
    Simulator::Stop(PicoSeconds(1));
    Simulator::Run();
    Simulator::Stop(PicoSeconds(1));
    Simulator::Run();
    EXPECT_FALSE(queues->GetTxQueue(0)->IsStopped());
    Simulator::Run();
    EXPECT_EQ(bench.received.size(), 12U);
}

TEST(RdmaNetDevice, StockSocketsNeedNothingElse)
{
    DeviceBench bench;
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(bench.nodes);
    NetDeviceContainer container;
    container.Add(bench.devices[0]);
    container.Add(bench.devices[1]);
    Ipv4AddressHelper addresses{"192.168.5.0", "255.255.255.0"};
    const auto interfaces = addresses.Assign(container); // installs ns-3's default queue discs
    const auto receiver = Socket::CreateSocket(bench.nodes.Get(1), UdpSocketFactory::GetTypeId());
    receiver->Bind(InetSocketAddress{Ipv4Address::GetAny(), 9});
    const auto sender = Socket::CreateSocket(bench.nodes.Get(0), UdpSocketFactory::GetTypeId());
    sender->Connect(InetSocketAddress{interfaces.GetAddress(1), 9});
    Simulator::Schedule(MicroSeconds(1),
                        [&sender] { EXPECT_EQ(sender->Send(Create<Packet>(1000)), 1000); });
    Simulator::Stop(MilliSeconds(100)); // ns-3 waits at random before it asks by ARP
    Simulator::Run();
    const auto packet = receiver->Recv();
    ASSERT_TRUE(packet);
    EXPECT_EQ(packet->GetSize(), 1000U);
}

TEST(RdmaNetDevice, LivesOnWithoutItsInterface)
{
    auto bench = std::make_unique<DeviceBench>();
    const Ptr<RdmaNetDevice> device = bench->devices[0];
    const Address peer = bench->devices[1]->GetAddress();
    bench->run.GetFabric().GetInterfaces()[0]->Dispose();
    EXPECT_FALSE(device->IsLinkUp());
    EXPECT_FALSE(device->Send(DeviceBench::MakePacket(100), peer, IPV4));
}

} // namespace
} // namespace ns3::rdma
