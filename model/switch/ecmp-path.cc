// SPDX-License-Identifier: GPL-2.0-only
#include "base/choice-attribute.h"
#include "base/component-help.h"
#include "base/hash.h"
#include "switch/path-policy.h"

namespace ns3::rdma
{

/**
 * Equal-cost multipath: the flow's hash decides, mixed with a seed of the switch.
 *
 * With one seed for all switches every stage of a multi-stage fabric takes the same decision, and
 * only some of the paths are ever used (hash polarisation); a seed per switch avoids it.
 *
 * @spec RFC 2992 (analysis of an equal-cost multi-path algorithm), hash of the five-tuple
 */
class EcmpPath : public PathPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::EcmpPath")
                .SetParent<PathPolicy>()
                .SetGroupName("Rdma")
                .AddConstructor<EcmpPath>()
                .AddAttribute("Seed",
                              "Whether each switch hashes with a seed of its own",
                              ChoiceValue<Seed>(Seed::PER_SWITCH),
                              MakeChoiceAccessor<Seed>(&EcmpPath::m_seed),
                              MakeChoiceChecker<Seed>(
                                  {{Seed::PER_SWITCH, "per-switch"}, {Seed::EQUAL, "equal"}}));
        return tid;
    }

    uint32_t Choose(uint32_t flowHash, uint32_t candidates, uint64_t switchSeed) const override
    {
        const uint64_t seed = m_seed == Seed::PER_SWITCH ? switchSeed : 0;
        const uint64_t hash = Mix64(seed ^ (uint64_t{flowHash} << 32 | flowHash)) >> 32;
        return static_cast<uint32_t>(hash * candidates >> 32);
    }

  private:
    enum class Seed : uint8_t
    {
        PER_SWITCH,
        EQUAL,
    };

    Seed m_seed{Seed::PER_SWITCH};
};

NS_OBJECT_ENSURE_REGISTERED(EcmpPath);

const ComponentHelp HELP{
    "ns3::rdma::EcmpPath",
    "Hash of a flow's addresses and ports over all shortest paths, parallel cables included"};

} // namespace ns3::rdma
