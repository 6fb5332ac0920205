// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "base/live-parameters.h"
#include "scenario/attribute-text.h"
#include "scenario/component-catalog.h"
#include "scenario/group-rules.h"
#include "scenario/timeline-action.h"
#include "scenario/timeline-site.h"

#include "ns3/string.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{

namespace
{

/** The groups whose parts can be changed while they run. */
const std::array<std::string, 3> LIVE_GROUPS{"switch.buffer", "switch.marking", "congestion"};

/** Everything that can change in a scenario, as keys. */
std::vector<std::string>
FindLiveKeys(const Scenario& scenario)
{
    std::vector<std::string> keys;
    for (const std::string& group : LIVE_GROUPS)
    {
        const GroupRule* rule = FindGroupRule(GetGroupRules(), group);
        const Ptr<Object> part = (scenario.*rule->slot).Create<Object>();
        const auto* live = dynamic_cast<const LiveParameters*>(PeekPointer(part));
        for (const std::string_view name :
             live == nullptr ? std::span<const std::string_view>{} : live->GetLiveAttributes())
        {
            keys.push_back(group + "." + SplitWords(name, '_'));
        }
    }
    return keys;
}

} // namespace

/**
 * A parameter of the scenario changes for the parts that run: of every switch, or of congestion
 * control, for connections that exist and those to come.
 */
class SetAction : public TimelineAction
{
  public:
    static TypeId GetTypeId();

    Diagnostics Prepare(TimelineSite& site) override;

    void Apply(SimTime now) override
    {
        Change(m_value, now);
    }

    void Undo(SimTime now) override
    {
        Change(m_before, now);
    }

    SimTime GetDuration() const override
    {
        return m_duration;
    }

    std::vector<RunEvent> GetRows() const override
    {
        return {{.event = "", .node = "", .detail = m_key + " = " + m_text}};
    }

  private:
    void Change(const Ptr<AttributeValue>& value, SimTime now);

    std::string m_key;
    std::string m_text;
    SimTime m_duration{};
    Fabric* m_fabric{nullptr};
    std::string m_group;
    std::string m_attribute;
    Ptr<AttributeValue> m_value;
    Ptr<AttributeValue> m_before; ///< as the scenario has it
};

NS_OBJECT_ENSURE_REGISTERED(SetAction);

const ComponentHelp SET_HELP{
    "ns3::rdma::SetAction",
    "A threshold of switches or a parameter of congestion control changes"};

TypeId
SetAction::GetTypeId()
{
    static TypeId tid =
        AddDuration(TypeId("ns3::rdma::SetAction")
                        .SetParent<TimelineAction>()
                        .SetGroupName("Rdma")
                        .AddConstructor<SetAction>()
                        .AddAttribute("Key",
                                      "The parameter, as --set names it: switch.buffer.alpha; it "
                                      "must be given",
                                      StringValue(""),
                                      MakeStringAccessor(&SetAction::m_key),
                                      MakeStringChecker())
                        .AddAttribute("Value",
                                      "Its value from then on, as the scenario would have it",
                                      StringValue(""),
                                      MakeStringAccessor(&SetAction::m_text),
                                      MakeStringChecker()),
                    &SetAction::m_duration);
    return tid;
}

Diagnostics
SetAction::Prepare(TimelineSite& site)
{
    const std::vector<std::string> known = FindLiveKeys(site.GetScenario());
    if (std::find(known.begin(), known.end(), m_key) == known.end())
    {
        Diagnostic diagnostic = TimelineError("key", "nothing that can change during a run", m_key);
        diagnostic.nearest = NearestName(m_key, known);
        diagnostic.knownNames = known;
        return {diagnostic};
    }
    m_fabric = &site.GetFabric();
    m_group = m_key.substr(0, m_key.rfind('.'));
    const std::string name = m_key.substr(m_group.size() + 1);
    const GroupRule* rule = FindGroupRule(GetGroupRules(), m_group);
    const ObjectFactory& factory = site.GetScenario().*rule->slot;
    for (const SettingRule& setting : GetSettingRules(factory.GetTypeId()))
    {
        if (setting.key != name)
        {
            continue;
        }
        const AttributeText text{setting.attribute};
        Diagnostics errors = text.Check(m_text);
        for (Diagnostic& error : errors)
        {
            error.key = "value";
        }
        if (!errors.empty())
        {
            return errors;
        }
        m_attribute = setting.attribute.name;
        m_value = text.MakeValue(m_text);
        m_before = setting.attribute.initialValue->Copy();
        factory.Create<Object>()->GetAttribute(m_attribute, *m_before);
    }
    return {};
}

void
SetAction::Change(const Ptr<AttributeValue>& value, SimTime now)
{
    m_fabric->ChangeParameters(
        m_group,
        [this, &value](Object& part)
        {
            part.SetAttribute(m_attribute, *value);
            dynamic_cast<LiveParameters&>(part).OnParametersChanged();
        },
        now);
}

} // namespace ns3::rdma
