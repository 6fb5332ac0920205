// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/programs.h"

namespace ns3::rdma
{

namespace
{

/** Bits of --noaccess: what a side does not grant its peer. */
constexpr uint64_t NO_MEMORY_ACCESS = 1;
constexpr uint64_t NO_QP_ACCESS = 2;

const OptionTable&
Table()
{
    static const OptionTable table{.withValue = {"-c",       "-m",       "-t",       "-d",
                                                 "-g",       "-p",       "--psn",    "--timeout",
                                                 "--retry",  "--rnr",    "--minrnr", "--rd",
                                                 "--recvs",  "--rsize",  "--rdelay", "--noaccess",
                                                 "--badqpn", "--tclass", "--hop",    "--linger"},
                                   .flags = {"-s", "-R", "--iwarp"}};
    return table;
}

SideSettings
ToSettings(const Options& options)
{
    const auto small = [&options](const char* name, uint64_t fallback)
    { return static_cast<uint8_t>(options.GetNumber(name, fallback)); };
    constexpr uint64_t DEFAULT_PSN = 0x123456;
    SideSettings side;
    side.pathMtu = static_cast<uint16_t>(options.GetNumber("-m", 1024));
    side.timeout = small("--timeout", side.timeout);
    side.retryCount = small("--retry", side.retryCount);
    side.rnrRetry = small("--rnr", side.rnrRetry);
    side.minRnrTimer = small("--minrnr", side.minRnrTimer);
    side.maxReadAtomic = small("--rd", side.maxReadAtomic);
    side.trafficClass = small("--tclass", 0);
    const uint64_t refused = options.GetNumber("--noaccess", 0);
    side.grantsMemory = (refused & NO_MEMORY_ACCESS) == 0;
    side.grantsQp = (refused & NO_QP_ACCESS) == 0;
    if (options.Has("--badqpn"))
    {
        side.destinationQp = static_cast<uint32_t>(options.GetNumber("--badqpn", 0));
    }
    // The connection manager chooses PSNs of its own.
    if (!options.Has("-R"))
    {
        side.psn = Psn{options.GetNumber("--psn", DEFAULT_PSN)};
    }
    return side;
}

} // namespace

Expected<Script>
ExpandVerbsTester(const ProgramRun& run)
{
    Script script;
    script.knowsMemory = true;
    ConnectionActions actions;
    for (const uint32_t side : {CLIENT, SERVER})
    {
        const Expected<Options> options = Options::Parse(run.arguments[side], Table());
        if (!options)
        {
            return options.Errors();
        }
        const std::string transport = options->GetText("-t", "rc");
        if (transport != "rc" && transport != "RC")
        {
            return Diagnostic{.file = "",
                              .line = 0,
                              .key = "",
                              .message = "only reliable connections are compared",
                              .got = "-t " + transport,
                              .expected = "rc",
                              .nearest = "",
                              .knownNames = {}};
        }
        script.sides[side] = ToSettings(*options);
        const uint64_t delay = options->GetNumber("--rdelay", 0);
        script.receivesLate = script.receivesLate || delay > 0;
        std::vector<std::string> words;
        if (delay > 0)
        {
            words.push_back("sleep:" + std::to_string(delay));
        }
        words.push_back("receive:" + std::to_string(options->GetNumber("--recvs", 16)) + "x" +
                        std::to_string(options->GetNumber("--rsize", 65536)));
        words.insert(words.end(), options->GetOperands().begin(), options->GetOperands().end());
        if (const Expected<bool> added = AddWords(words, actions[side]); !added)
        {
            return added.Errors();
        }
    }
    script.connections.push_back(actions);
    return script;
}

} // namespace ns3::rdma
