// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/program-output.h"

#include <map>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/** Names and values of a line, "wr_id 1 status 0 ...". */
std::map<std::string, uint64_t>
ReadValues(std::istringstream& words)
{
    std::map<std::string, uint64_t> values;
    std::string name;
    for (std::string word; words >> word; name = word)
    {
        char* end = nullptr;
        const uint64_t value = std::strtoull(word.c_str(), &end, 0);
        if (end != word.c_str() && *end == '\0')
        {
            values[name] = value;
        }
    }
    return values;
}

} // namespace

ProgramOutput
ReadProgramOutput(const std::string& text)
{
    ProgramOutput output;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);)
    {
        const std::size_t kind = std::min(line.find("send wr_id "), line.find("recv wr_id "));
        if (const std::size_t at = line.find("buf[0..7] "); at != std::string::npos)
        {
            output.buffer = line.substr(at + 10, 16);
        }
        if (kind == std::string::npos)
        {
            continue;
        }
        std::istringstream words{line.substr(kind)};
        std::map<std::string, uint64_t> values = ReadValues(words);
        WorkCompletion completion;
        completion.wrId = values["wr_id"];
        completion.status = static_cast<CompletionStatus>(values["status"]);
        completion.opcode = static_cast<CompletionOpcode>(values["opcode"]);
        completion.byteLength = static_cast<uint32_t>(values["len"]);
        completion.immediate = static_cast<uint32_t>(values["imm"]);
        completion.flags = static_cast<uint8_t>(values["flags"]);
        (line[kind] == 's' ? output.sends : output.receives).push_back(completion);
    }
    return output;
}

std::string
ToString(const WorkCompletion& completion, bool isReceive)
{
    std::ostringstream text;
    text << "wr " << completion.wrId << " " << ToString(completion.status);
    if (completion.status != CompletionStatus::SUCCESS)
    {
        return text.str();
    }
    text << " " << ToString(completion.opcode);
    const bool isRead = completion.opcode == CompletionOpcode::RDMA_READ;
    if (isReceive || isRead)
    {
        text << " len " << completion.byteLength;
    }
    if (isReceive && (completion.flags & WC_WITH_IMM) != 0)
    {
        text << std::hex << " imm 0x" << completion.immediate;
    }
    return text.str();
}

} // namespace ns3::rdma
