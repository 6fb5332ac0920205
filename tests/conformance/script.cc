// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/script.h"

#include "tests/conformance/programs.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** The words of a command line, without the environment before the program and without its path. */
std::vector<std::string>
ProgramWords(const std::string& line)
{
    std::vector<std::string> words = SplitWords(line);
    const auto isPrefix = [](const std::string& word)
    { return word == "env" || word.find('=') != std::string::npos; };
    words.erase(words.begin(), std::find_if_not(words.begin(), words.end(), isPrefix));
    if (!words.empty())
    {
        words.front().erase(0, words.front().rfind('/') + 1);
    }
    return words;
}

Diagnostic
UnknownProgram(const std::string& line)
{
    Diagnostic diagnostic;
    diagnostic.message = "not a program whose operations are known: give them as 'operations'";
    diagnostic.got = line;
    diagnostic.knownNames = {"vt",
                             "ib_write_bw",
                             "ib_write_lat",
                             "ib_read_bw",
                             "ib_read_lat",
                             "ib_send_bw",
                             "ib_send_lat",
                             "ib_atomic_bw",
                             "ib_atomic_lat",
                             "ibv_rc_pingpong",
                             "ibv_srq_pingpong",
                             "rping",
                             "ucmatose",
                             "rdma_client"};
    return diagnostic;
}

} // namespace

Expected<bool>
AddWords(const std::vector<std::string>& words, Actions& actions)
{
    for (const std::string& word : words)
    {
        Expected<Action> action = ParseAction(word);
        if (!action)
        {
            return action.Errors();
        }
        actions.push_back(*action);
    }
    return true;
}

ConnectionActions
MakeExchange(const std::vector<uint64_t>& sizes)
{
    Action receives;
    receives.kind = ActionKind::RECEIVE;
    receives.count = sizes.size() + 1;
    receives.length = 1 + *std::max_element(sizes.begin(), sizes.end());
    Action received;
    received.kind = ActionKind::AWAIT_RECEIVE;
    ConnectionActions actions{Actions{receives}, Actions{receives}};
    for (const uint64_t bytes : sizes)
    {
        Action send;
        send.opcode = SendOpcode::SEND;
        send.length = bytes;
        send.flags = SEND_SIGNALED;
        send.waits = true;
        actions[CLIENT].insert(actions[CLIENT].end(), {send, received});
        actions[SERVER].insert(actions[SERVER].end(), {received, send});
    }
    return actions;
}

Expected<ConnectionActions>
ParseActions(const std::array<std::vector<std::string>, 2>& words)
{
    ConnectionActions actions;
    for (const uint32_t side : {CLIENT, SERVER})
    {
        if (const Expected<bool> added = AddWords(words[side], actions[side]); !added)
        {
            return added.Errors();
        }
    }
    return actions;
}

Expected<Script>
ExpandCommands(const Commands& commands)
{
    ProgramRun run;
    run.maxIterations = commands.maxIterations;
    run.arguments = {ProgramWords(commands.client), ProgramWords(commands.server)};
    for (std::vector<std::string>& words : run.arguments)
    {
        if (words.empty())
        {
            return UnknownProgram(commands.client + " | " + commands.server);
        }
        run.name = run.name.empty() ? words.front() : run.name;
        words.erase(words.begin());
    }
    const auto isOneOf = [&run](const std::vector<std::string>& names)
    { return std::find(names.begin(), names.end(), run.name) != names.end(); };
    if (run.name == "vt")
    {
        return ExpandVerbsTester(run);
    }
    if (isOneOf({"ib_write_bw", "ib_read_bw", "ib_send_bw", "ib_atomic_bw"}) ||
        isOneOf({"ib_write_lat", "ib_read_lat", "ib_send_lat", "ib_atomic_lat"}))
    {
        return ExpandPerftest(run);
    }
    if (isOneOf({"ibv_rc_pingpong", "ibv_srq_pingpong"}))
    {
        return ExpandPingPong(run);
    }
    if (run.name == "rping")
    {
        return ExpandRping(run);
    }
    if (run.name == "ucmatose")
    {
        return ExpandUcmatose(run);
    }
    return run.name == "rdma_client" ? ExpandRdmaClient(run) : UnknownProgram(commands.client);
}

} // namespace ns3::rdma
