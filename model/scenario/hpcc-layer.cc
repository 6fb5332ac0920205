// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/hpcc-layer.h"

#include "workload/hpcc-config-reader.h"

#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view ALGORITHM_KEY = "congestion.algorithm";

Setting
MakeScalar(const std::string& text, const SettingOrigin& origin)
{
    Setting setting;
    setting.text = text;
    setting.origin = origin;
    return setting;
}

Setting
MakeMap(const std::vector<std::pair<std::string, std::string>>& values, const SettingOrigin& origin)
{
    Setting map;
    map.kind = Setting::Kind::MAP;
    map.origin = origin;
    for (const auto& [key, value] : values)
    {
        map.fields.push_back({key, MakeScalar(value, origin)});
    }
    return map;
}

/** The congestion control that counts in the end. */
std::string
ChooseAlgorithm(const HpccConfig& config, const std::string& fromAbove)
{
    std::string algorithm = fromAbove;
    for (const HpccSetting& setting : config.settings)
    {
        algorithm = algorithm.empty() && setting.key == ALGORITHM_KEY ? setting.value : algorithm;
    }
    return algorithm;
}

} // namespace

Expected<HpccLayer>
ReadHpccLayer(const std::string& file, const std::string& algorithm)
{
    auto config = ReadHpccConfig(file);
    if (!config)
    {
        return config.Errors();
    }
    HpccLayer layer;
    layer.settings.kind = Setting::Kind::MAP;
    const std::string chosen = ChooseAlgorithm(*config, algorithm);
    for (const HpccSetting& setting : config->settings)
    {
        if (!setting.algorithm.empty() && setting.algorithm != chosen)
        {
            continue;
        }
        const SettingOrigin origin{file, setting.line, setting.origin};
        const Diagnostics errors =
            SetAtPath(layer.settings, setting.key, MakeScalar(setting.value, origin));
        if (!errors.empty())
        {
            return errors;
        }
    }
    // Line 0: the reader has found the files already, relative to its own folder.
    const SettingOrigin origin{file, 0, file};
    layer.settings.fields.push_back(
        {"topology", MakeMap({{"family", "hpcc-file"}, {"file", config->topologyFile}}, origin)});
    Setting workload;
    workload.kind = Setting::Kind::LIST;
    workload.origin = origin;
    workload.items.push_back(
        MakeMap({{"pattern", "flow-list"}, {"file", config->flowFile}}, origin));
    layer.settings.fields.push_back({"workload", workload});
    layer.outputs = {config->fctOutput, config->pfcOutput};
    layer.notes = std::move(config->notes);
    layer.warnings = std::move(config->warnings);
    return layer;
}

} // namespace ns3::rdma
