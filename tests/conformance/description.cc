// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/description.h"

#include <algorithm>
#include <yaml-cpp/yaml.h>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

const std::vector<std::string> KEYS{"capture",
                                    "peer_capture",
                                    "client",
                                    "server",
                                    "wire",
                                    "operations",
                                    "settings",
                                    "client_output",
                                    "server_output",
                                    "policy",
                                    "cut"};

Diagnostic
Wrong(const std::string& key, const std::string& message, const std::string& got)
{
    Diagnostic diagnostic;
    diagnostic.key = key;
    diagnostic.message = message;
    diagnostic.got = got;
    return diagnostic;
}

/** The capture of a name: as it is, or with the suffixes of decoded text and of captures. */
fs::path
FindCapture(const fs::path& folder, const std::string& name)
{
    for (const char* suffix : {"", ".txt", ".pcap"})
    {
        const fs::path path = folder / (name + suffix);
        if (fs::is_regular_file(path))
        {
            return path;
        }
    }
    return {};
}

/** "W:10 W:11", or a list of such. */
std::vector<std::string>
ReadWords(const YAML::Node& node)
{
    std::vector<std::string> words;
    if (node.IsDefined() && node.IsScalar())
    {
        words = SplitWords(node.as<std::string>());
    }
    for (const YAML::Node& item : node)
    {
        const std::vector<std::string> some = SplitWords(item.as<std::string>());
        words.insert(words.end(), some.begin(), some.end());
    }
    return words;
}

/** operations: {client: ..., server: ...}, or a list of these, a connection each. */
Expected<Script>
ReadOperations(const YAML::Node& root)
{
    // The settings are the verbs tester's, with its option names.
    const std::string settings = root["settings"].as<std::string>("");
    Expected<Script> script = ExpandCommands({"vt " + settings, "vt " + settings});
    if (!script)
    {
        return script.Errors();
    }
    script->knowsMemory = false;
    script->connections.clear();
    YAML::Node connections = root["operations"];
    if (connections.IsMap())
    {
        connections = YAML::Load("[]");
        connections.push_back(root["operations"]);
    }
    for (const YAML::Node& connection : connections)
    {
        const Expected<ConnectionActions> actions =
            ParseActions({ReadWords(connection["client"]), ReadWords(connection["server"])});
        if (!actions)
        {
            return actions.Errors();
        }
        script->connections.push_back(*actions);
    }
    for (SideSettings& side : script->sides)
    {
        side.psn = settings.find("--psn") == std::string::npos ? std::nullopt : side.psn;
    }
    return *script;
}

Expected<bool>
ReadPrograms(const YAML::Node& root, Description& description)
{
    if (root["operations"])
    {
        const Expected<Script> script = ReadOperations(root);
        if (!script)
        {
            return script.Errors();
        }
        description.operations = *script;
        return true;
    }
    description.commands.client = root["client"].as<std::string>("");
    description.commands.server = root["server"].as<std::string>("");
    const Expected<Script> script = ExpandCommands(
        {description.commands.client, description.commands.server, /* maxIterations */ 1});
    return script ? Expected<bool>{true} : Expected<bool>{script.Errors()};
}

Expected<bool>
ReadRoot(const YAML::Node& root, Description& description)
{
    for (const auto& entry : root)
    {
        const auto key = entry.first.as<std::string>();
        if (std::find(KEYS.begin(), KEYS.end(), key) == KEYS.end())
        {
            Diagnostic unknown = Wrong(key, "unknown key", "");
            unknown.knownNames = KEYS;
            return unknown;
        }
    }
    const Expected<WireRules> wire = ReadWireRules(root["wire"]);
    if (!wire)
    {
        return wire.Errors();
    }
    description.wire = *wire;
    const char* outputs[] = {"client_output", "server_output"};
    for (const uint32_t side : {CLIENT, SERVER})
    {
        if (root[outputs[side]])
        {
            description.outputs[side] = ReadProgramOutput(root[outputs[side]].as<std::string>());
        }
    }
    description.policy = root["policy"].as<std::string>(description.policy);
    description.isCut = root["cut"] && root["cut"].as<bool>();
    const fs::path folder = description.file.parent_path();
    const auto name = root["capture"].as<std::string>(description.name);
    const auto peerName = root["peer_capture"].as<std::string>(description.name + ".peer");
    description.capture = FindCapture(folder, name);
    description.peerCapture = FindCapture(folder, peerName);
    if (description.capture.empty())
    {
        return Wrong("capture", "no such file, nor with .txt or .pcap behind it", name);
    }
    return ReadPrograms(root, description);
}

} // namespace

Expected<Description>
ReadDescription(const fs::path& file)
{
    Description description;
    description.file = file;
    description.name = file.stem().string();
    Diagnostics errors;
    try
    {
        const Expected<bool> read = ReadRoot(YAML::LoadFile(file.string()), description);
        if (!read)
        {
            errors = read.Errors();
        }
    }
    catch (const YAML::Exception& error)
    {
        errors.push_back(Wrong("", "not a description", error.what()));
    }
    for (Diagnostic& error : errors)
    {
        error.file = file.string();
    }
    return errors.empty() ? Expected<Description>{description} : Expected<Description>{errors};
}

Expected<Script>
MakeScript(const Description& description, uint64_t packets)
{
    if (description.operations)
    {
        return *description.operations;
    }
    Commands commands = description.commands;
    commands.maxIterations = std::max<uint64_t>(packets, 1);
    return ExpandCommands(commands);
}

} // namespace ns3::rdma
