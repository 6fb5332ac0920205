// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/attribute-text.h"

#include "base/attributes.h"

#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace ns3::rdma
{

namespace
{

using Kind = AttributeText::Kind;
using Json = nlohmann::ordered_json;

Kind
KindOf(const AttributeChecker& checker)
{
    if (const auto* described = dynamic_cast<const DescribedChecker*>(&checker))
    {
        switch (described->GetForm())
        {
        case DescribedChecker::Form::TIME:
            return Kind::TIME;
        case DescribedChecker::Form::BYTES:
            return Kind::BYTES;
        case DescribedChecker::Form::RATE:
            return Kind::RATE;
        case DescribedChecker::Form::FRACTION:
            return Kind::FRACTION;
        case DescribedChecker::Form::CHOICE:
            return Kind::CHOICE;
        }
    }
    static const std::map<std::string, Kind> KINDS{{"BooleanValue", Kind::BOOLEAN},
                                                   {"UintegerValue", Kind::WHOLE_NUMBER},
                                                   {"IntegerValue", Kind::INTEGER},
                                                   {"DoubleValue", Kind::REAL},
                                                   {"StringValue", Kind::TEXT}};
    // ns-3 writes some of its type names with the namespace and some without.
    constexpr std::string_view NAMESPACE = "ns3::";
    std::string name = checker.GetValueTypeName();
    name.erase(0, name.starts_with(NAMESPACE) ? NAMESPACE.size() : 0);
    const auto found = KINDS.find(name);
    return found == KINDS.end() ? Kind::NOT_SUPPORTED : found->second;
}

std::string
KindName(Kind kind)
{
    switch (kind)
    {
    case Kind::TIME:
        return "time";
    case Kind::BYTES:
        return "bytes";
    case Kind::RATE:
        return "rate";
    case Kind::FRACTION:
        return "fraction";
    case Kind::CHOICE:
        return "one of";
    case Kind::BOOLEAN:
        return "true or false";
    case Kind::WHOLE_NUMBER:
        return "whole number";
    case Kind::INTEGER:
        return "integer";
    case Kind::REAL:
        return "number";
    case Kind::TEXT:
        return "text";
    case Kind::NOT_SUPPORTED:
        return "not settable";
    }
    return {};
}

template <typename T>
bool
ParseWhole(const std::string& text, T& value)
{
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end;
}

/** Splits ns-3's description of a number's range, "uint32_t 0:100". */
std::pair<std::string, std::string>
RangeOf(const AttributeChecker& checker)
{
    const std::string text = checker.GetUnderlyingTypeInformation();
    const auto blank = text.find(' ');
    const auto colon = text.find(':', blank);
    if (blank == std::string::npos || colon == std::string::npos)
    {
        return {};
    }
    return {text.substr(blank + 1, colon - blank - 1), text.substr(colon + 1)};
}

} // namespace

AttributeText::AttributeText(const TypeId::AttributeInformation& attribute)
    : m_attribute{attribute},
      m_kind{KindOf(*attribute.checker)}
{
}

std::vector<std::string>
AttributeText::GetNames() const
{
    return m_kind == Kind::CHOICE
               ? dynamic_cast<const DescribedChecker&>(*m_attribute.checker).GetNames()
               : std::vector<std::string>{};
}

std::string
AttributeText::GetRange() const
{
    if (const auto* described =
            dynamic_cast<const DescribedChecker*>(PeekPointer(m_attribute.checker)))
    {
        return described->GetRange();
    }
    const bool isNumber =
        m_kind == Kind::WHOLE_NUMBER || m_kind == Kind::INTEGER || m_kind == Kind::REAL;
    const auto [low, high] =
        isNumber ? RangeOf(*m_attribute.checker) : std::pair<std::string, std::string>{};
    const std::array<std::string, 5> typeEnds{std::to_string(UINT64_MAX),
                                              std::to_string(INT64_MAX),
                                              std::to_string(UINT32_MAX),
                                              std::to_string(INT32_MAX),
                                              ""};
    const bool isUnlimited = high.find("e+") != std::string::npos ||
                             std::find(typeEnds.begin(), typeEnds.end(), high) != typeEnds.end();
    if (!isUnlimited)
    {
        return low + " .. " + high;
    }
    return low.empty() || low == "0" || low.starts_with("-") ? "" : "at least " + low;
}

std::string
AttributeText::Describe() const
{
    std::string text = KindName(m_kind);
    std::string names;
    for (const std::string& name : GetNames())
    {
        names += (names.empty() ? " " : ", ") + name;
    }
    const std::string range = GetRange();
    return text + names + (range.empty() ? "" : ", " + range);
}

std::string
AttributeText::GetDefault() const
{
    return m_attribute.initialValue->SerializeToString(m_attribute.checker);
}

Diagnostic
AttributeText::Wrong(const std::string& message, const std::string& text) const
{
    Diagnostic diagnostic;
    diagnostic.message = message;
    diagnostic.got = text;
    diagnostic.expected = Describe();
    return diagnostic;
}

Diagnostics
AttributeText::CheckNumber(const std::string& text) const
{
    uint64_t whole = 0;
    int64_t integer = 0;
    double real = 0;
    if (m_kind == Kind::WHOLE_NUMBER && !ParseWhole(text, whole))
    {
        return {Wrong("not a whole number", text)};
    }
    if (m_kind == Kind::INTEGER && !ParseWhole(text, integer))
    {
        return {Wrong("not an integer", text)};
    }
    if (m_kind == Kind::REAL && (!ParseWhole(text, real) || !std::isfinite(real)))
    {
        return {Wrong("not a number", text)};
    }
    if (m_attribute.checker->Check(*MakeValue(text)))
    {
        return {};
    }
    return {Wrong("out of range", text)};
}

Diagnostics
AttributeText::Check(const std::string& text) const
{
    if (const auto* described =
            dynamic_cast<const DescribedChecker*>(PeekPointer(m_attribute.checker)))
    {
        return described->CheckText(text);
    }
    switch (m_kind)
    {
    case Kind::BOOLEAN:
        return text == "true" || text == "false"
                   ? Diagnostics{}
                   : Diagnostics{Wrong("neither true nor false", text)};
    case Kind::WHOLE_NUMBER:
    case Kind::INTEGER:
    case Kind::REAL:
        return CheckNumber(text);
    case Kind::TEXT:
        return {};
    case Kind::TIME:
    case Kind::BYTES:
    case Kind::RATE:
    case Kind::FRACTION:
    case Kind::CHOICE:
    case Kind::NOT_SUPPORTED:
        break;
    }
    return {Wrong("no text can set this", text)};
}

Ptr<AttributeValue>
AttributeText::MakeValue(const std::string& text) const
{
    if (m_kind == Kind::TEXT)
    {
        // ns-3's own reading of text stops, and aborts, at the first blank.
        return ns3::Create<StringValue>(text);
    }
    const Ptr<AttributeValue> value = m_attribute.checker->Create();
    value->DeserializeFromString(text, m_attribute.checker);
    return value;
}

std::string
AttributeText::Normalise(const std::string& text) const
{
    return MakeValue(text)->SerializeToString(m_attribute.checker);
}

Json
AttributeText::GetSchema() const
{
    Json schema = GetQuantitySchema(m_kind);
    if (m_kind == Kind::CHOICE)
    {
        schema["enum"] = GetNames();
    }
    if (m_kind == Kind::WHOLE_NUMBER || m_kind == Kind::INTEGER)
    {
        const auto [low, high] = RangeOf(*m_attribute.checker);
        schema["minimum"] = Json::parse(low);
        schema["maximum"] = Json::parse(high);
    }
    const std::string range = GetRange();
    const std::string value = GetDefault();
    schema["description"] = m_attribute.help + (range.empty() ? "" : " (" + range + ")") +
                            "; default " + (value.empty() ? "none" : value);
    const bool isPlain = m_kind == Kind::BOOLEAN || m_kind == Kind::WHOLE_NUMBER ||
                         m_kind == Kind::INTEGER || m_kind == Kind::REAL;
    schema["default"] = isPlain ? Json::parse(value) : Json(value);
    return schema;
}

Json
GetQuantitySchema(Kind kind)
{
    const std::string number = R"(^\s*(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?\s*)";
    const auto quantity = [&number](const std::string& units) {
        return Json{{"type", "string"}, {"pattern", number + "(" + units + R"()\s*$)"}};
    };
    switch (kind)
    {
    case Kind::TIME:
        return {{"type", "string"}, {"pattern", number + R"((s|ms|us|ns|ps)\s*$|^\s*never\s*$)"}};
    case Kind::BYTES:
        return quantity("B|kB|[KMGT]B|[KMGT]iB");
    case Kind::RATE:
        return quantity("[kKMGT]?(bps|b/s)");
    case Kind::FRACTION:
        return {{"anyOf",
                 Json::array({{{"type", "number"}, {"minimum", 0}}, quantity(R"(|%|/\s*\d+)")})}};
    case Kind::BOOLEAN:
        return {{"type", "boolean"}};
    case Kind::WHOLE_NUMBER:
    case Kind::INTEGER:
        return {{"type", "integer"}};
    case Kind::REAL:
        return {{"type", "number"}};
    case Kind::TEXT:
        return {{"type", Json::array({"string", "number", "boolean", "array"})}};
    case Kind::CHOICE:
    case Kind::NOT_SUPPORTED:
        break;
    }
    return Json::object();
}

} // namespace ns3::rdma
