// SPDX-License-Identifier: GPL-2.0-only
#include "workload/verbs-call-fields.h"

#include <charconv>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{
namespace
{

constexpr std::size_t SHOWN_CHARACTERS = 60; ///< of a wrong value

} // namespace

std::optional<uint64_t>
ParseAddress(const std::string& text)
{
    uint64_t value = 0;
    const char* const end = text.data() + text.size();
    if (!text.starts_with("0x"))
    {
        return std::nullopt;
    }
    const auto [rest, error] = std::from_chars(text.data() + 2, end, value, 16);
    return error == std::errc{} && rest == end ? std::optional{value} : std::nullopt;
}

VerbsCallFields::VerbsCallFields(const nlohmann::json& object) : m_object{object} {}

const nlohmann::json*
VerbsCallFields::Find(const char* key) const
{
    if (!m_object.is_object())
    {
        return nullptr;
    }
    const auto found = m_object.find(key);
    return found == m_object.end() ? nullptr : &*found;
}

bool
VerbsCallFields::Has(const char* key) const
{
    return Find(key) != nullptr;
}

void
VerbsCallFields::Complain(const std::string& key, const std::string& expected)
{
    if (m_error)
    {
        return;
    }
    const nlohmann::json* const value = Find(key.c_str());
    m_error.emplace();
    m_error->key = key;
    m_error->message = value == nullptr ? "the call lacks a member" : "the member is wrong";
    m_error->expected = expected;
    if (value != nullptr)
    {
        const auto replace = nlohmann::json::error_handler_t::replace;
        m_error->got = value->dump(-1, ' ', true, replace).substr(0, SHOWN_CHARACTERS);
    }
}

void
VerbsCallFields::Adopt(const VerbsCallFields& part)
{
    if (!m_error)
    {
        m_error = part.m_error;
    }
}

uint64_t
VerbsCallFields::Unsigned(const char* key, uint64_t maximum)
{
    const nlohmann::json* const value = Find(key);
    if (value != nullptr && value->is_number_unsigned() && value->get<uint64_t>() <= maximum)
    {
        return value->get<uint64_t>();
    }
    Complain(key, "a whole number from 0 to " + std::to_string(maximum));
    return 0;
}

int64_t
VerbsCallFields::Signed(const char* key, int64_t minimum, int64_t maximum)
{
    const nlohmann::json* const value = Find(key);
    const bool isSmall = value != nullptr && value->is_number_integer() &&
                         (!value->is_number_unsigned() ||
                          value->get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
    if (isSmall && value->get<int64_t>() >= minimum && value->get<int64_t>() <= maximum)
    {
        return value->get<int64_t>();
    }
    Complain(key,
             "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum));
    return 0;
}

uint64_t
VerbsCallFields::Address(const char* key)
{
    const nlohmann::json* const value = Find(key);
    const auto address = value != nullptr && value->is_string()
                             ? ParseAddress(value->get<std::string>())
                             : std::nullopt;
    if (!address)
    {
        Complain(key, "an address as \"0x7f00\"");
    }
    return address.value_or(0);
}

std::string
VerbsCallFields::Text(const char* key)
{
    const nlohmann::json* const value = Find(key);
    if (value != nullptr && value->is_string())
    {
        return value->get<std::string>();
    }
    Complain(key, "a string");
    return {};
}

const nlohmann::json&
VerbsCallFields::List(const char* key)
{
    static const nlohmann::json NOTHING = nlohmann::json::array();
    const nlohmann::json* const value = Find(key);
    if (value != nullptr && value->is_array())
    {
        return *value;
    }
    Complain(key, "a list");
    return NOTHING;
}

} // namespace ns3::rdma
