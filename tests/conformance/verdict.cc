// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/verdict.h"

#include "tests/conformance/allowances.h"
#include "tests/conformance/attempt.h"
#include "tests/conformance/capture.h"

#include <algorithm>
#include <sstream>
#include <yaml-cpp/yaml.h>

namespace ns3::rdma
{

namespace
{

Verdict
Differs(const std::string& details)
{
    return {Outcome::DIFFERS, {}, details};
}

/** Compares what the peer's host saw, where there is a capture of it. @return "": no difference */
std::string
ComparePeer(const Case& loaded, const RunResult& result)
{
    if (loaded.description.peerCapture.empty())
    {
        return "";
    }
    const Expected<Packets> packets = ReadCapture(loaded.description.peerCapture);
    if (!packets)
    {
        return ToString(packets.Errors());
    }
    const Script& script = loaded.experiment.script;
    std::vector<Connection> captured = SplitConnections(*packets);
    std::vector<Connection> modelled = result.views[SERVER];
    for (std::vector<Connection>* run : {&captured, &modelled})
    {
        NormalizeAll(*run, script.knowsMemory);
        for (Connection& connection : *run)
        {
            RenamePartialReadAnswers(connection, script.sides[CLIENT].pathMtu);
            TrimBehindError(connection);
            CollapseRnrRounds(connection);
        }
    }
    const auto difference = FindDifference(captured, modelled, loaded.description.isCut);
    return difference ? "in the peer's capture: " + ToString(*difference) : "";
}

using Completions = std::vector<WorkCompletion>;

/** Flushed receives are told only by an application that goes on asking. */
Completions
WithoutFlushes(Completions completions)
{
    std::erase_if(completions,
                  [](const WorkCompletion& completion)
                  { return completion.status == CompletionStatus::WR_FLUSH_ERR; });
    return completions;
}

std::string
CompareCompletions(const Completions& logged, const Completions& modelled, bool isReceive)
{
    for (std::size_t n = 0; n < std::max(logged.size(), modelled.size()); ++n)
    {
        const auto show = [n, isReceive](const Completions& list)
        { return n < list.size() ? ToString(list[n], isReceive) : std::string{"nothing more"}; };
        if (show(logged) != show(modelled))
        {
            return std::to_string(n + 1) + "\n    log:     " + show(logged) +
                   "\n    model:   " + show(modelled);
        }
    }
    return "";
}

/** The first difference between a program's output and the model; "": none. */
std::string
CompareOutput(const ProgramOutput& logged, const ProgramOutput& modelled)
{
    const std::string sends = CompareCompletions(logged.sends, modelled.sends, false);
    if (!sends.empty())
    {
        return "send completion " + sends;
    }
    const bool hasFlushes = WithoutFlushes(logged.receives).size() < logged.receives.size();
    const Completions receives = hasFlushes ? modelled.receives : WithoutFlushes(modelled.receives);
    const std::string received = CompareCompletions(logged.receives, receives, true);
    if (!received.empty())
    {
        return "receive completion " + received;
    }
    const bool isSame = logged.buffer.empty() || logged.buffer == modelled.buffer;
    return isSame ? ""
                  : "first bytes of the buffer\n    log:     " + logged.buffer +
                        "\n    model:   " + modelled.buffer;
}

std::string
CompareOutputs(const Description& description, const RunResult& result)
{
    for (const uint32_t side : {CLIENT, SERVER})
    {
        const std::optional<ProgramOutput>& logged = description.outputs[side];
        const std::string text = logged ? CompareOutput(*logged, result.outputs.front()[side]) : "";
        if (!text.empty())
        {
            return std::string{side == CLIENT ? "client" : "server"} + ", " + text;
        }
    }
    return "";
}

/** What else is known of a run whose packets match. @return the first difference, or "" */
std::string
CompareRest(const Case& loaded, const Attempt& attempt)
{
    std::string text = ComparePeer(loaded, attempt.result);
    // What was allowed for has changed times, or taken packets out.
    if (text.empty() && attempt.notes.empty())
    {
        text = CompareRetransmissionTimes(loaded.captured, attempt.result.views[CLIENT]);
    }
    return text.empty() ? CompareOutputs(loaded.description, attempt.result) : text;
}

Verdict
CompareWithCapture(const Description& description)
{
    const Expected<Case> loaded = LoadCase(description, description.policy);
    if (!loaded)
    {
        return Differs(ToString(loaded.Errors()));
    }
    const Expected<Attempt> attempt = FindAttempt(*loaded);
    if (!attempt)
    {
        return Differs(ToString(attempt.Errors()));
    }
    Verdict verdict{Outcome::MATCHED, attempt->notes, ""};
    if (!attempt->departure.empty())
    {
        verdict.outcome = Outcome::EXCEPTED;
        verdict.notes.push_back(attempt->departure);
    }
    if (attempt->difference)
    {
        verdict.details = ToString(*attempt->difference);
    }
    else if (verdict.outcome == Outcome::MATCHED)
    {
        verdict.details = CompareRest(*loaded, *attempt);
    }
    verdict.outcome = verdict.details.empty() ? verdict.outcome : Outcome::DIFFERS;
    return verdict;
}

/** Compares the model with what it must do in place of what the capture shows. */
Verdict
CompareWithException(const Description& description, const Exception& exception)
{
    if (CompareWithCapture(description).outcome == Outcome::MATCHED)
    {
        return Differs("the model does what the capture shows: no exception is needed");
    }
    Description other = description;
    other.capture = exception.expected;
    other.peerCapture.clear();
    other.outputs = {};
    other.policy = exception.policy;
    Verdict verdict = CompareWithCapture(other);
    if (verdict.outcome == Outcome::MATCHED)
    {
        verdict.outcome = Outcome::EXCEPTED;
        verdict.notes.push_back(exception.clause + ": " + exception.reason);
    }
    return verdict;
}

} // namespace

Expected<Exceptions>
ReadExceptions(const std::filesystem::path& file)
{
    Exceptions exceptions;
    if (!std::filesystem::exists(file))
    {
        return exceptions;
    }
    for (const auto& entry : YAML::LoadFile(file.string()))
    {
        const auto name = entry.first.as<std::string>();
        const YAML::Node& fields = entry.second;
        const Exception exception{
            fields["reason"].as<std::string>(""),
            fields["clause"].as<std::string>(""),
            fields["policy"].as<std::string>("rxe"),
            file.parent_path() / fields["expected"].as<std::string>("expected/" + name + ".txt")};
        if (exception.reason.empty() || exception.clause.empty() ||
            !std::filesystem::exists(exception.expected))
        {
            Diagnostic wrong;
            wrong.file = file.string();
            wrong.key = name;
            wrong.message = "an exception needs 'reason', 'clause' and its expected sequence";
            wrong.got = exception.expected.string();
            return wrong;
        }
        exceptions[name] = exception;
    }
    return exceptions;
}

std::string
ToString(const std::string& name, const Verdict& verdict)
{
    const char* words[] = {"matched  ", "differs  ", "excepted "};
    std::string text = words[static_cast<std::size_t>(verdict.outcome)] + name;
    for (std::size_t n = 0; n < verdict.notes.size(); ++n)
    {
        text += (n == 0 ? ": " : "; ") + verdict.notes[n];
    }
    return verdict.details.empty() ? text : text + "\n  " + verdict.details;
}

Verdict
Compare(const Description& description, const Exceptions& exceptions)
{
    const auto exception = exceptions.find(description.name);
    return exception == exceptions.end() ? CompareWithCapture(description)
                                         : CompareWithException(description, exception->second);
}

Expected<std::string>
PrintModel(const Description& description, const std::string& policy)
{
    const Expected<Case> loaded = LoadCase(description, policy);
    if (!loaded)
    {
        return loaded.Errors();
    }
    const Expected<RunResult> result = RunModel(loaded->experiment);
    if (!result)
    {
        return result.Errors();
    }
    Packets packets;
    for (const Connection& connection : result->views[CLIENT])
    {
        for (const uint32_t side : {CLIENT, SERVER})
        {
            const Packets& requests = connection.requests[side];
            const Packets& responses = connection.responses[side];
            packets.insert(packets.end(), requests.begin(), requests.end());
            packets.insert(packets.end(), responses.begin(), responses.end());
        }
    }
    std::stable_sort(packets.begin(),
                     packets.end(),
                     [](const Packet& a, const Packet& b) { return a.number < b.number; });
    std::ostringstream text;
    for (Packet& packet : packets)
    {
        packet.number = static_cast<uint32_t>(&packet - packets.data()) + 1;
        text << ToDecodedLine(packet) << "\n";
    }
    return text.str();
}

} // namespace ns3::rdma
