// SPDX-License-Identifier: GPL-2.0-only
#include "link/fault-settings.h"

#include "base/component-help.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cctype>
#include <charconv>
#include <sstream>

namespace ns3::rdma
{
namespace
{

/** Words separated by blanks or commas. */
std::vector<std::string>
SplitWords(std::string text)
{
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream stream{text};
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
    {
        words.push_back(word);
    }
    return words;
}

/** A whole number of decimal digits within a range. */
std::optional<uint32_t>
ParseNumber(const std::string& word, uint32_t least, uint32_t most)
{
    uint32_t number = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    const bool isNumber = error == std::errc{} && stop == end;
    return isNumber && number >= least && number <= most ? std::optional{number} : std::nullopt;
}

/** A text attribute that lists numbers, and their range. */
struct NumberList
{
    std::string key;
    std::string text;
    uint32_t least;
    uint32_t most;
};

/** The numbers of a list; adds what is wrong with it. */
std::vector<uint32_t>
ReadNumbers(const NumberList& list, Diagnostics& errors)
{
    std::vector<uint32_t> numbers;
    for (const std::string& word : SplitWords(list.text))
    {
        const auto number = ParseNumber(word, list.least, list.most);
        if (!number)
        {
            errors.push_back({"",
                              0,
                              list.key,
                              "not such a number",
                              word,
                              "whole numbers, " + std::to_string(list.least) + " .. " +
                                  std::to_string(list.most),
                              "",
                              {}});
        }
        numbers.push_back(number.value_or(0));
    }
    return numbers;
}

/** "RC RDMA WRITE First" -> "rc-rdma-write-first". */
std::string
MakeWord(std::string_view name)
{
    std::string word;
    for (const char c : name)
    {
        word += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return word;
}

/** The words that mean several opcodes. */
const std::vector<std::string> CLASSES{"request", "response", "acknowledge", "cnp"};

std::string
ClassOf(const OpcodeInfo& info)
{
    switch (info.operation)
    {
    case Operation::RDMA_READ_RESPONSE:
    case Operation::ATOMIC_ACKNOWLEDGE:
        return "response";
    case Operation::ACKNOWLEDGE:
        return "acknowledge";
    case Operation::NOTIFICATION:
        return "cnp";
    default:
        return "request";
    }
}

/** The opcodes that words name, singly or as a class; adds what is wrong with them. */
std::vector<Opcode>
ReadOpcodes(const std::string& text, Diagnostics& errors)
{
    std::vector<Opcode> opcodes;
    for (const std::string& word : SplitWords(text))
    {
        const std::size_t before = opcodes.size();
        std::vector<std::string> known = CLASSES;
        for (const OpcodeInfo& info : OPCODE_TABLE)
        {
            if (info.name.empty())
            {
                continue;
            }
            known.push_back(MakeWord(info.name));
            if (word == known.back() || word == ClassOf(info))
            {
                opcodes.push_back(info.opcode);
            }
        }
        if (opcodes.size() == before)
        {
            errors.push_back(
                {"", 0, "frames", "unknown name", word, "", NearestName(word, known), known});
        }
    }
    return opcodes;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(FaultSettings);

TypeId
FaultSettings::GetTypeId()
{
    static TypeId tid =
        AddChoice(TypeId("ns3::rdma::FaultSettings")
                      .SetParent<Object>()
                      .SetGroupName("Rdma")
                      .AddAttribute("From",
                                    "Node that sends the frames; empty: any",
                                    StringValue(""),
                                    MakeStringAccessor(&FaultSettings::m_from),
                                    MakeStringChecker())
                      .AddAttribute("To",
                                    "Node at the other end of the cable; empty: any",
                                    StringValue(""),
                                    MakeStringAccessor(&FaultSettings::m_to),
                                    MakeStringChecker())
                      .AddAttribute("Link",
                                    "Number of the cable as links.csv has it; empty: any",
                                    StringValue(""),
                                    MakeStringAccessor(&FaultSettings::m_link),
                                    MakeStringChecker()));
    return tid;
}

TypeId
FaultSettings::AddChoice(TypeId tid)
{
    return tid
        .AddAttribute("Frames",
                      "Frames that match: request, response, acknowledge, cnp, or opcodes such as "
                      "rc-rdma-write-last; empty: all",
                      StringValue(""),
                      MakeStringAccessor(&FaultSettings::m_frames),
                      MakeStringChecker())
        .AddAttribute("Psn",
                      "Packet sequence numbers that match; empty: all",
                      StringValue(""),
                      MakeStringAccessor(&FaultSettings::m_psns),
                      MakeStringChecker())
        .AddAttribute("Which",
                      "Which of the matching frames of a direction are struck, counted from 1; "
                      "empty: all",
                      StringValue(""),
                      MakeStringAccessor(&FaultSettings::m_which),
                      MakeStringChecker())
        .AddAttribute("Every",
                      "Each n-th of the matching frames of a direction is struck, repeats included",
                      UintegerValue(1),
                      MakeUintegerAccessor(&FaultSettings::m_every),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("Probability",
                      "Chance with which a frame that all else chooses is struck",
                      FractionValue(Fraction{1, 1}),
                      MakeFractionAccessor(&FaultSettings::m_probability),
                      MakeFractionChecker(Fraction{0, 1}, Fraction{1, 1}))
        .AddAttribute(
            "Active",
            "Whether it strikes from the start; false: from a fault-on of the timeline on",
            BooleanValue(true),
            MakeBooleanAccessor(&FaultSettings::m_isActive),
            MakeBooleanChecker());
}

Diagnostics
FaultSettings::CheckSettings() const
{
    Diagnostics errors;
    ReadOpcodes(m_frames, errors);
    ReadNumbers({"psn", m_psns, 0, Psn::MASK}, errors);
    ReadNumbers({"which", m_which, 1, UINT32_MAX}, errors);
    ReadNumbers({"link", m_link, 0, UINT32_MAX}, errors);
    if (m_from.empty() && m_to.empty() && m_link.empty())
    {
        errors.push_back({"", 0, "from", "the fault has no place", "", "from, to or link", "", {}});
    }
    return errors;
}

FaultRule
FaultSettings::GetRule() const
{
    Diagnostics none;
    FaultRule rule{.which = ReadNumbers({"which", m_which, 1, UINT32_MAX}, none),
                   .every = m_every,
                   .probability = m_probability.ToDouble()};
    rule.match.opcodes = ReadOpcodes(m_frames, none);
    for (const uint32_t psn : ReadNumbers({"psn", m_psns, 0, Psn::MASK}, none))
    {
        rule.match.psns.push_back(Psn{psn});
    }
    DoSetAction(rule);
    return rule;
}

bool
FaultSettings::IsOn(const std::string& from, const std::string& to, uint32_t link) const
{
    return (m_from.empty() || m_from == from) && (m_to.empty() || m_to == to) &&
           (m_link.empty() || m_link == std::to_string(link));
}

std::string
FaultSettings::GetPlace() const
{
    std::string place;
    for (const auto& [name, value] :
         {std::pair{"from ", m_from}, std::pair{"to ", m_to}, std::pair{"link ", m_link}})
    {
        if (!value.empty())
        {
            place += (place.empty() ? "" : ", ") + std::string{name} + value;
        }
    }
    return place;
}

namespace
{

/** A fault without attributes of its own. */
template <FaultAction ACTION>
class PlainFault : public FaultSettings
{
  public:
    static TypeId GetTypeId();

  private:
    void DoSetAction(FaultRule& rule) const override
    {
        rule.action = ACTION;
    }
};

using DropFault = PlainFault<FaultAction::DROP>;
using DuplicateFault = PlainFault<FaultAction::DUPLICATE>;
using CorruptFault = PlainFault<FaultAction::CORRUPT_PAYLOAD>;
using MarkFault = PlainFault<FaultAction::MARK_CE>;

/** The TypeId of a fault; each class calls it with its own name. */
template <typename T>
TypeId
MakeTypeId(const std::string& name)
{
    return TypeId(name)
        .SetParent<FaultSettings>()
        .SetGroupName("Rdma")
        .template AddConstructor<T>();
}

template <>
TypeId
DropFault::GetTypeId()
{
    static TypeId tid = MakeTypeId<DropFault>("ns3::rdma::DropFault");
    return tid;
}

template <>
TypeId
DuplicateFault::GetTypeId()
{
    static TypeId tid = MakeTypeId<DuplicateFault>("ns3::rdma::DuplicateFault");
    return tid;
}

template <>
TypeId
CorruptFault::GetTypeId()
{
    static TypeId tid = MakeTypeId<CorruptFault>("ns3::rdma::CorruptFault");
    return tid;
}

template <>
TypeId
MarkFault::GetTypeId()
{
    static TypeId tid = MakeTypeId<MarkFault>("ns3::rdma::MarkFault");
    return tid;
}

/** A frame is held until others have overtaken it. */
class DelayFault : public FaultSettings
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeTypeId<DelayFault>("ns3::rdma::DelayFault")
                .AddAttribute("ByFrames",
                              "Frames of the direction that overtake the delayed one",
                              UintegerValue(1),
                              MakeUintegerAccessor(&DelayFault::m_byFrames),
                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

  private:
    void DoSetAction(FaultRule& rule) const override
    {
        rule.action = FaultAction::DELAY;
        rule.delayFrames = m_byFrames;
    }

    uint32_t m_byFrames{1};
};

NS_OBJECT_ENSURE_REGISTERED(DropFault);
NS_OBJECT_ENSURE_REGISTERED(DuplicateFault);
NS_OBJECT_ENSURE_REGISTERED(CorruptFault);
NS_OBJECT_ENSURE_REGISTERED(MarkFault);
NS_OBJECT_ENSURE_REGISTERED(DelayFault);

const ComponentHelp DROP_HELP{"ns3::rdma::DropFault", "The frame is lost"};
const ComponentHelp DUPLICATE_HELP{"ns3::rdma::DuplicateFault", "A copy follows the frame at once"};
const ComponentHelp CORRUPT_HELP{"ns3::rdma::CorruptFault",
                                 "A bit of the payload is wrong, so that the ICRC does not fit"};
const ComponentHelp MARK_HELP{"ns3::rdma::MarkFault",
                              "The ECN field says Congestion Experienced, whatever it said"};
const ComponentHelp DELAY_HELP{"ns3::rdma::DelayFault",
                               "The frame is held until others of the direction have passed it"};

} // namespace

} // namespace ns3::rdma
