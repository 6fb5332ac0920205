// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/command-words.h"

#include <algorithm>

namespace ns3::rdma
{

std::string
CommandWords::GetLast(const std::string& name) const
{
    const auto values = GetAll(name);
    return values.empty() ? "" : values.back();
}

std::vector<std::string>
CommandWords::GetAll(const std::string& name) const
{
    std::vector<std::string> values;
    for (const OptionWord& option : options)
    {
        if (option.name == name)
        {
            values.push_back(option.value);
        }
    }
    return values;
}

bool
CommandWords::Has(const std::string& name) const
{
    return !GetAll(name).empty();
}

namespace
{

/** Takes words apart; an object because an option takes the word behind it. */
class Splitter
{
  public:
    Splitter(std::span<const std::string> words, const std::vector<OptionRule>& rules)
        : m_words{words},
          m_rules{rules}
    {
    }

    CommandWords Run()
    {
        bool areOperands = false;
        while (m_next < m_words.size())
        {
            const std::string& word = m_words[m_next++];
            if (!areOperands && word == "--")
            {
                areOperands = true;
            }
            else if (!areOperands && word.starts_with("--"))
            {
                SplitOption(word);
            }
            else
            {
                m_result.operands.push_back(word);
            }
        }
        return m_result;
    }

  private:
    void SplitOption(const std::string& word)
    {
        const auto equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const auto rule = std::ranges::find(m_rules, name, &OptionRule::name);
        if (rule == m_rules.end())
        {
            std::vector<std::string> known;
            std::ranges::transform(m_rules, std::back_inserter(known), &OptionRule::name);
            m_result.errors.push_back(MakeWordDiagnostic("unknown option", name, "", known));
            return;
        }
        if (rule->value.empty() && equals != std::string::npos)
        {
            m_result.errors.push_back(MakeWordDiagnostic("the option takes no value", word, name));
        }
        std::string value;
        if (!rule->value.empty())
        {
            if (equals == std::string::npos && m_next == m_words.size())
            {
                m_result.errors.push_back(MakeWordDiagnostic(
                    "the option's value is missing", name, name + " " + rule->value));
                return;
            }
            value = equals == std::string::npos ? m_words[m_next++] : word.substr(equals + 1);
        }
        m_result.options.push_back({name, value});
    }

    std::span<const std::string> m_words;
    const std::vector<OptionRule>& m_rules;
    std::size_t m_next{0};
    CommandWords m_result;
};

} // namespace

CommandWords
SplitWords(std::span<const std::string> words, const std::vector<OptionRule>& rules)
{
    return Splitter{words, rules}.Run();
}

Diagnostic
MakeWordDiagnostic(const std::string& message,
                   const std::string& got,
                   const std::string& expected,
                   const std::vector<std::string>& known)
{
    return {"command line", 0, "", message, got, expected, NearestName(got, known), known};
}

} // namespace ns3::rdma
