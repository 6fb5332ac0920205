// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/parameter-set.h"
#include "scenario/component-catalog.h"
#include "scenario/group-rules.h"
#include "scenario/setting.h"

#include "ns3/object-factory.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** What the settings of one group come to. */
struct ResolvedGroup
{
    ObjectFactory factory; ///< without a type if errors kept the class from being known
    std::vector<EffectiveParameter> parameters;
    std::vector<std::string> notes;
    Diagnostics errors; ///< with file and line
};

/** Named parameter sets of a class; empty if it is no kind that has them. */
std::vector<ParameterSet> GetParameterSets(TypeId type);

/** Chooses the class of a group and sets its attributes, with all checks and origins. */
class GroupResolver
{
  public:
    /** @param rules  all groups, to know which keys inside a group are groups themselves */
    explicit GroupResolver(const GroupRules& rules);

    /**
     * Works out one group.
     *
     * Values, later wins: the attribute's default, the parameter set, what the user wrote.
     * A key of a class that was chosen by a lower layer and replaced by a higher one does not
     * apply any more; it is left out with a note.
     *
     * @param rule     of the group
     * @param key      its dotted path, with the index for an entry of a list
     * @param setting  what the user wrote; null for nothing
     */
    ResolvedGroup Resolve(const GroupRule& rule,
                          const std::string& key,
                          const Setting* setting) const;

  private:
    const GroupRules& m_rules;
};

/** Gives diagnostics of a component, which know only its attributes, the user's file and line. */
Diagnostics LocateDiagnostics(Diagnostics diagnostics,
                              const std::string& key,
                              const Setting* setting);

} // namespace ns3::rdma
