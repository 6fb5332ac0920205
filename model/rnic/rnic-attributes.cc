// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/rnic-attributes.h"

#include "base/number-map.h"
#include "rnic/rnic.h"
#include "wire/foreign-frame.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

namespace
{

/** The smallest that any IPv4 link has to carry. @spec RFC 791 section 3.2 (68 octets) */
constexpr uint16_t MIN_IP_MTU = 68;

/** @choice as much as keeps a port of 100 Gb/s busy for 10 us, which the stack needs to react */
constexpr uint64_t DEFAULT_IP_QUEUE = 125'000;

/** An attribute as a member of the class, which is what ns-3's accessors need. */
template <typename T>
constexpr T Rnic::*
Member(T RnicAttributes::*attribute)
{
    return attribute;
}

/** What other stacks on the port are given. */
TypeId
AddSharingAttributes(TypeId tid)
{
    return tid
        .AddAttribute("Weights",
                      "Weights of priorities 0 to 7 in what the interface sends, 1 to 1000000 "
                      "each; empty: the highest first",
                      StringValue(""),
                      MakeStringAccessor(Member(&RnicAttributes::weights)),
                      MakeStringChecker())
        .AddAttribute("IpMtu",
                      "Largest IP packet of TCP and UDP, in bytes (Ethernet's 1500)",
                      UintegerValue(1500),
                      MakeUintegerAccessor(Member(&RnicAttributes::ipMtu)),
                      MakeUintegerChecker<uint16_t>(MIN_IP_MTU, MAX_FOREIGN_MTU))
        .AddAttribute("IpQueue",
                      "Frames of TCP and UDP that wait at the interface, of each priority; "
                      "more wait in the stack",
                      ByteCountValue(ByteCount{DEFAULT_IP_QUEUE}),
                      MakeByteCountAccessor(Member(&RnicAttributes::ipQueue)),
                      MakeByteCountChecker(ByteCount{2 * PayloadBlock::BYTES}));
}

TypeId
AddReceiveAttributes(TypeId tid)
{
    return tid
        .AddAttribute(
            "ReceiveRate",
            "Rate at which payload that has arrived goes on to the host (its PCIe); 0bps: "
            "as fast as it comes",
            BitRateValue(BitRate{0}),
            MakeBitRateAccessor(Member(&RnicAttributes::receiveRate)),
            MakeBitRateChecker())
        .AddAttribute(
            "ReceiveBuffer",
            "With ReceiveRate: frames that wait for the host (mlnx_qos shows 262016 bytes "
            "for a port of a ConnectX); what finds no room is dropped",
            ByteCountValue(ByteCount{262'016}),
            MakeByteCountAccessor(Member(&RnicAttributes::receiveBuffer)),
            MakeByteCountChecker(ByteCount{1024}))
        .AddAttribute("ReceiveXoff",
                      "With ReceiveRate: waiting bytes of a lossless priority that pause the "
                      "sender; 0B: its part of the buffer less what still arrives after a pause",
                      ByteCountValue(ByteCount{0}),
                      MakeByteCountAccessor(Member(&RnicAttributes::receiveXoff)),
                      MakeByteCountChecker())
        .AddAttribute("ReceiveXon",
                      "With ReceiveRate: waiting bytes at which it resumes; 0B: two largest frames "
                      "below ReceiveXoff",
                      ByteCountValue(ByteCount{0}),
                      MakeByteCountAccessor(Member(&RnicAttributes::receiveXon)),
                      MakeByteCountChecker());
}

} // namespace

Expected<MarkOfPriority>
MakeMarks(const RnicAttributes& attributes)
{
    std::array<uint8_t, PRIORITY_COUNT> dscp{};
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        dscp[priority] = ClassSelector(priority);
    }
    if (auto error = ReadNumberMap(attributes.dscp, dscp, DSCP_COUNT - 1))
    {
        error->key = "dscp";
        error->expected = "entries such as \"3:26 6:48\": priority 0 to 7, DSCP 0 to 63";
        return *error;
    }
    MarkOfPriority marks{};
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        marks[priority] = {dscp[priority], attributes.isTagged ? priority : UNTAGGED_PCP};
    }
    return marks;
}

TypeId
AddRnicAttributes(TypeId tid)
{
    return AddSharingAttributes(AddReceiveAttributes(tid))
        .AddAttribute("Profile",
                      "What NIC and host cost: ideal (nothing), generic-100g, or the path of a "
                      "file of the same kind (./mine.yaml)",
                      StringValue("ideal"),
                      MakeStringAccessor(Member(&RnicAttributes::profile)),
                      MakeStringChecker())
        .AddAttribute("CnpPriority",
                      "Priority of congestion notification packets, 0 to 7 (mlx5 default: 6)",
                      UintegerValue(6),
                      MakeUintegerAccessor(Member(&RnicAttributes::cnpPriority)),
                      MakeUintegerChecker<uint8_t>(0, PRIORITY_COUNT - 1))
        .AddAttribute("CnpScope",
                      "What the shortest time between two CNPs holds for: qp, a connection (Zhu et "
                      "al., SIGCOMM 2015); ip-pair, all connections with one peer; port, all of "
                      "the interface (adapters differ: Lumina, cnp_check.py)",
                      ChoiceValue<CnpScope>(CnpScope::QUEUE_PAIR),
                      MakeChoiceAccessor<CnpScope>(Member(&RnicAttributes::cnpScope)),
                      MakeChoiceChecker<CnpScope>({{CnpScope::QUEUE_PAIR, "qp"},
                                                   {CnpScope::ADDRESS_PAIR, "ip-pair"},
                                                   {CnpScope::PORT, "port"}}))
        .AddAttribute("CnpDelay",
                      "From the arrival of the packet that draws a CNP until the CNP is given to "
                      "the port (about 55us on an adapter, by a user's report: "
                      "aliyun/ns-3-alibabacloud issue 12)",
                      SimTimeValue(SimTime{}),
                      MakeSimTimeAccessor(Member(&RnicAttributes::cnpDelay)),
                      MakeSimTimeChecker(SimTime{}, SimTime::Seconds(1)))
        .AddAttribute(
            "CnpWithNak",
            "A NAK of a sequence error counts as a mark, as on ConnectX-5 and -6 (Lumina, "
            "cnp_check.py; ConnectX-4 and E810 do not)",
            BooleanValue(false),
            MakeBooleanAccessor(Member(&RnicAttributes::sendsCnpWithNak)),
            MakeBooleanChecker())
        .AddAttribute("Dscp",
                      "DSCP that packets of a priority carry, \"3:26 6:48\" (priority:DSCP); one "
                      "that is not named: its class selector, 8 x priority (RFC 2474)",
                      StringValue(""),
                      MakeStringAccessor(Member(&RnicAttributes::dscp)),
                      MakeStringChecker())
        .AddAttribute("Vlan",
                      "Frames carry a VLAN tag of 4 bytes with their priority as PCP (IEEE 802.1Q)",
                      BooleanValue(false),
                      MakeBooleanAccessor(Member(&RnicAttributes::isTagged)),
                      MakeBooleanChecker());
}

} // namespace ns3::rdma
