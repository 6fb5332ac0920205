// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/attempt.h"

#include "tests/conformance/allowances.h"
#include "tests/conformance/capture.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr std::size_t MAX_TIMER_REPEATS = 64;

Diagnostic
TooManyConnections(std::size_t captured, std::size_t described)
{
    Diagnostic wrong;
    wrong.message = "the capture holds other connections than the description";
    wrong.got = std::to_string(captured);
    wrong.expected = std::to_string(described);
    return wrong;
}

/** Sizes of a side's messages, all of one packet; empty: some are not. */
std::vector<uint64_t>
MessageSizes(const Packets& requests)
{
    std::vector<uint64_t> sizes;
    for (const Packet& request : requests)
    {
        if (request.opcode != Opcode::RC_SEND_ONLY)
        {
            return {};
        }
        sizes.push_back(request.payloadBytes);
    }
    return sizes;
}

/** What a tool exchanges before and after its test depends on its version: then the capture says.
 */
void
AdoptExchange(Case& loaded)
{
    Script& script = loaded.experiment.script;
    if (!script.hasControl || loaded.captured.empty())
    {
        return;
    }
    const std::vector<uint64_t> sizes = MessageSizes(loaded.captured.front().requests[CLIENT]);
    ConnectionActions& actions = script.connections.front();
    if (!sizes.empty() && MakeExchange(sizes) != actions)
    {
        actions = MakeExchange(sizes);
        loaded.notes.push_back("parameters exchanged as in the capture");
    }
}

/** How many frames the client's host had received when it first sent its n-th message. */
std::vector<uint64_t>
FindGates(const Connection& connection)
{
    std::vector<uint64_t> gates;
    std::optional<Psn> newest;
    for (const Packet& request : connection.requests[CLIENT])
    {
        const bool isNew = !newest || Psn::IsBefore(*newest, request.psn);
        newest = isNew ? request.psn : newest;
        if (!isNew || !GetOpcodeInfo(request.opcode).startsMessage)
        {
            continue;
        }
        const auto isEarlier = [&request](const Packet& packet)
        { return packet.number < request.number; };
        const auto count = [&isEarlier](const Packets& packets)
        { return std::count_if(packets.begin(), packets.end(), isEarlier); };
        gates.push_back(static_cast<uint64_t>(count(connection.requests[SERVER]) +
                                              count(connection.responses[SERVER])));
    }
    return gates;
}

/** A requester's timeout in seconds. @spec IBTA Vol 1 Rel 1.7 section 9.7.6.1.3 */
double
TimeoutOf(const SideSettings& side)
{
    constexpr double UNIT = 4.096e-6;
    return UNIT * static_cast<double>(uint64_t{1} << side.timeout);
}

std::string
Counted(uint64_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/** The model's run, and its packets. */
struct ModelRun
{
    RunResult result;
    std::vector<Connection> modelled;
    std::optional<Difference> difference;
};

Expected<ModelRun>
RunOnce(const Case& loaded)
{
    Expected<RunResult> result = RunModel(loaded.experiment);
    if (!result)
    {
        return result.Errors();
    }
    ModelRun run{*result, result->views[CLIENT], std::nullopt};
    NormalizeAll(run.modelled, loaded.experiment.script.knowsMemory);
    run.difference = FindDifference(loaded.captured, run.modelled, loaded.description.isCut);
    return run;
}

/** Runs the model again and again, until no difference is a repeat of a timer. */
Expected<ModelRun>
RunWithRepeats(Case& loaded)
{
    Experiment& experiment = loaded.experiment;
    while (true)
    {
        Expected<ModelRun> run = RunOnce(loaded);
        if (!run || !run->difference || experiment.repeats.size() == MAX_TIMER_REPEATS)
        {
            return run;
        }
        const uint32_t side = run->difference->stream.side;
        const double timeout = TimeoutOf(experiment.script.sides[side]);
        const auto repeat = FindTimerRepeat(loaded.captured, *run->difference, timeout);
        if (!repeat)
        {
            return run;
        }
        experiment.repeats.push_back(*repeat);
    }
}

/** What allowances took out of one run, or changed in it. */
struct Allowed
{
    uint64_t rounds{0};
    uint64_t behindError{0};
    uint64_t renamed{0};
};

Allowed
Allow(std::vector<Connection>& run, const Script& script)
{
    // Without an end to RNR retries, too, their number depends only on time.
    const auto isEndless = [](const SideSettings& side) { return side.rnrRetry == 7; };
    const bool hasTimedRounds =
        script.receivesLate || std::any_of(script.sides.begin(), script.sides.end(), isEndless);
    Allowed allowed;
    for (Connection& connection : run)
    {
        allowed.rounds += hasTimedRounds ? CollapseRnrRounds(connection) : 0;
        allowed.behindError += TrimBehindError(connection);
        allowed.renamed += RenamePartialReadAnswers(connection, script.sides[CLIENT].pathMtu);
    }
    return allowed;
}

void
NoteAllowances(const Allowed& captured, const Allowed& modelled, Attempt& attempt)
{
    const auto both = [](uint64_t inCapture, uint64_t inModel)
    {
        return std::to_string(inCapture) + " of the capture and " + std::to_string(inModel) +
               " of the model left out";
    };
    if (captured.rounds + modelled.rounds > 0)
    {
        attempt.notes.push_back("RNR rounds, " + both(captured.rounds, modelled.rounds));
    }
    if (captured.behindError + modelled.behindError > 0)
    {
        attempt.notes.push_back("requests that an error overtook, " +
                                both(captured.behindError, modelled.behindError));
    }
    if (captured.renamed > 0)
    {
        attempt.departure =
            "9.7.5.1.3: the repeat of a part of a READ is answered as a READ of its "
            "own; " +
            Counted(captured.renamed, "answer") + " renamed";
    }
}

/** Compares again with all allowances; then looks for a departure of rxe. */
void
CompareAllowed(const Case& loaded, const ModelRun& run, Attempt& attempt)
{
    std::vector<Connection> captured = loaded.captured;
    std::vector<Connection> modelled = run.modelled;
    const Script& script = loaded.experiment.script;
    const Allowed inCapture = Allow(captured, script);
    const Allowed inModel = Allow(modelled, script);
    if (!FindDifference(captured, modelled, loaded.description.isCut))
    {
        attempt.difference.reset();
        NoteAllowances(inCapture, inModel, attempt);
        return;
    }
    attempt.departure = FindDeparture({loaded.captured, run.modelled, script});
    if (!attempt.departure.empty())
    {
        attempt.difference.reset();
    }
}

Expected<Attempt>
Try(Case loaded, const Timing& timing)
{
    loaded.experiment.timing = timing;
    const Expected<ModelRun> run = RunWithRepeats(loaded);
    if (!run)
    {
        return run.Errors();
    }
    Attempt attempt;
    attempt.notes = loaded.notes;
    attempt.result = run->result;
    attempt.difference = run->difference;
    if (!loaded.experiment.repeats.empty())
    {
        attempt.notes.push_back(Counted(loaded.experiment.repeats.size(), "repeat") +
                                " of rxe's timer replayed");
    }
    if (timing.isSpaced)
    {
        attempt.notes.push_back("frames read one by one");
    }
    if (timing.isOrdered)
    {
        attempt.notes.push_back("posted in the capture's order");
    }
    if (attempt.difference)
    {
        CompareAllowed(loaded, *run, attempt);
    }
    return attempt;
}

} // namespace

void
NormalizeAll(std::vector<Connection>& run, bool knowsMemory)
{
    for (Connection& connection : run)
    {
        Normalize(connection, knowsMemory);
    }
}

Expected<Case>
LoadCase(const Description& description, const std::string& policy)
{
    const Expected<Packets> packets = ReadCapture(description.capture);
    if (!packets)
    {
        return packets.Errors();
    }
    const Expected<Script> script = MakeScript(description, packets->size());
    if (!script)
    {
        return script.Errors();
    }
    Case loaded{description, {}, SplitConnections(*packets), {}};
    std::vector<Connection>& captured = loaded.captured;
    if (captured.size() > script->connections.size())
    {
        return TooManyConnections(captured.size(), script->connections.size());
    }
    Experiment& experiment = loaded.experiment;
    experiment.script = *script;
    experiment.wire = description.wire;
    experiment.policy = policy;
    experiment.maxFrames = description.isCut ? 4 * packets->size() : 100'000 + 20 * packets->size();
    captured.resize(script->connections.size());
    for (const Connection& connection : captured)
    {
        std::array<Psn, 2> psns{};
        for (const uint32_t side : {CLIENT, SERVER})
        {
            const Psn first = connection.GetFirstPsn(side).value_or(Psn{});
            psns[side] = script->sides[side].psn.value_or(first);
        }
        experiment.firstPsns.push_back(psns);
        experiment.gates.push_back(FindGates(connection));
    }
    AdoptExchange(loaded);
    NormalizeAll(captured, script->knowsMemory);
    return loaded;
}

Expected<Attempt>
FindAttempt(const Case& loaded)
{
    constexpr std::array<Timing, 4> TIMINGS{
        {{false, false}, {true, false}, {false, true}, {true, true}}};
    std::optional<Attempt> first;
    for (const Timing& timing : TIMINGS)
    {
        Expected<Attempt> attempt = Try(loaded, timing);
        if (!attempt || !attempt->difference)
        {
            return attempt;
        }
        first = first ? first : *attempt;
    }
    return *first;
}

} // namespace ns3::rdma
