// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/action.h"

#include <charconv>
#include <map>
#include <optional>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/** Where a request with the letter O begins: less than any of its lengths before the end. */
constexpr int64_t OUT_OF_RANGE_OFFSET = TESTER_REGION_BYTES - 16;

Diagnostic
WrongWord(const std::string& word)
{
    return {.file = "",
            .line = 0,
            .key = "",
            .message = "not an operation",
            .got = word,
            .expected = "W, R, S, FA, CS with letters I E V F B O, receive, received, executed, "
                        "sleep or drain",
            .nearest = "",
            .knownNames = {}};
}

std::optional<uint64_t>
ToNumber(const std::string& text)
{
    const bool isHex = text.starts_with("0x");
    const char* end = text.data() + text.size();
    uint64_t number = 0;
    const auto result =
        std::from_chars(text.data() + (isHex ? 2 : 0), end, number, isHex ? 16 : 10);
    return result.ec == std::errc{} && result.ptr == end ? std::optional{number} : std::nullopt;
}

/** The numbers behind a word's name, separated by a character; nullopt if one is none. */
std::optional<std::vector<uint64_t>>
ToNumbers(const std::string& text, char separator)
{
    std::vector<uint64_t> numbers;
    std::istringstream stream{text};
    for (std::string part; std::getline(stream, part, separator);)
    {
        const std::optional<uint64_t> number = ToNumber(part);
        if (!number)
        {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

/** An operation's letters: its name and what may follow it. */
bool
ReadLetters(std::string letters, Action& action)
{
    const std::map<std::string, SendOpcode> names{{"FA", SendOpcode::ATOMIC_FETCH_AND_ADD},
                                                  {"CS", SendOpcode::ATOMIC_CMP_AND_SWP},
                                                  {"W", SendOpcode::RDMA_WRITE},
                                                  {"R", SendOpcode::RDMA_READ},
                                                  {"S", SendOpcode::SEND}};
    auto name = names.find(letters.substr(0, 2));
    name = name != names.end() ? name : names.find(letters.substr(0, 1));
    if (name == names.end())
    {
        return false;
    }
    action.opcode = name->second;
    for (const char letter : letters.substr(name->first.size()))
    {
        const bool isWrite = action.opcode == SendOpcode::RDMA_WRITE;
        if (letter == 'I' && (isWrite || action.opcode == SendOpcode::SEND))
        {
            action.opcode = isWrite ? SendOpcode::RDMA_WRITE_WITH_IMM : SendOpcode::SEND_WITH_IMM;
        }
        else if (letter == 'V' && action.opcode == SendOpcode::SEND)
        {
            action.opcode = SendOpcode::SEND_WITH_INV;
        }
        else if (letter == 'E' || letter == 'F')
        {
            action.flags |= letter == 'E' ? SEND_SOLICITED : SEND_FENCE;
        }
        else if (letter == 'B')
        {
            action.hasBadKey = true;
        }
        else if (letter == 'O')
        {
            action.offset = OUT_OF_RANGE_OFFSET;
            action.isOutOfRange = true;
        }
        else
        {
            return false;
        }
    }
    return true;
}

/** @param numbers what stands behind the letters */
bool
SetNumbers(const std::vector<uint64_t>& numbers, Action& action)
{
    const bool isSwap = action.opcode == SendOpcode::ATOMIC_CMP_AND_SWP;
    const bool isAtomic = isSwap || action.opcode == SendOpcode::ATOMIC_FETCH_AND_ADD;
    const std::size_t needed = isSwap ? 2 : 1;
    if (numbers.size() < needed || numbers.size() > needed + 1)
    {
        return false;
    }
    (isAtomic ? action.compareAdd : action.length) = numbers[0];
    action.swap = isSwap ? numbers[1] : 0;
    action.length = isAtomic ? ATOMIC_BYTES : action.length;
    if (numbers.size() > needed)
    {
        action.offset += static_cast<int64_t>(numbers[needed]);
    }
    return true;
}

bool
ReadOperation(std::string word, Action& action)
{
    const bool isPipelined = word[0] == '&';
    const bool isUnsignalled = word[0] == '+';
    word.erase(0, isPipelined || isUnsignalled ? 1 : 0);
    action.waits = !isPipelined && !isUnsignalled;
    action.flags = isUnsignalled ? 0 : SEND_SIGNALED;
    if (const std::size_t at = word.find('@'); at != std::string::npos)
    {
        const std::optional<uint64_t> region = ToNumber(word.substr(at + 1));
        if (!region || *region < 1 || *region > 2)
        {
            return false;
        }
        action.region = static_cast<uint32_t>(*region - 1);
        word.erase(at);
    }
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos)
    {
        return false;
    }
    const auto numbers = ToNumbers(word.substr(colon + 1), ':');
    return numbers && ReadLetters(word.substr(0, colon), action) && SetNumbers(*numbers, action);
}

/** receive:16x65536, received:1, executed:1, sleep:300 */
bool
ReadOther(const std::string& name, const std::string& rest, Action& action)
{
    const auto numbers = ToNumbers(rest, 'x');
    if (!numbers || numbers->size() != (name == "receive" ? 2U : 1U))
    {
        return false;
    }
    action.kind = name == "receive"    ? ActionKind::RECEIVE
                  : name == "received" ? ActionKind::AWAIT_RECEIVE
                  : name == "executed" ? ActionKind::AWAIT_MESSAGE
                                       : ActionKind::SLEEP;
    action.count = name == "sleep" ? 1 : numbers->front();
    action.length = name == "receive" ? numbers->back() : 0;
    action.duration = name == "sleep" ? SimTime::Milliseconds(numbers->front()) : SimTime{};
    return true;
}

} // namespace

Expected<Action>
ParseAction(const std::string& word)
{
    Action action;
    action.word = word;
    if (word == "drain")
    {
        action.kind = ActionKind::DRAIN;
        return action;
    }
    const std::size_t colon = word.find(':');
    const std::string name = word.substr(0, colon);
    bool isOk = colon != std::string::npos;
    if (name == "receive" || name == "received" || name == "executed" || name == "sleep")
    {
        isOk = isOk && ReadOther(name, word.substr(colon + 1), action);
    }
    else
    {
        isOk = isOk && ReadOperation(word, action);
    }
    return isOk ? Expected<Action>{action} : Expected<Action>{WrongWord(word)};
}

std::vector<std::string>
SplitWords(const std::string& text)
{
    std::vector<std::string> words;
    std::istringstream stream{text};
    for (std::string word; stream >> word;)
    {
        if (word.size() >= 2 && (word[0] == '\'' || word[0] == '"') && word.back() == word[0])
        {
            word = word.substr(1, word.size() - 2);
        }
        words.push_back(word);
    }
    return words;
}

} // namespace ns3::rdma
