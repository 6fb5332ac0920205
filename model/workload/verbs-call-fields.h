// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace ns3::rdma
{

/**
 * Members of a JSON object by name and range.
 *
 * What is missing or wrong reads as 0 or as nothing, and the first such member is kept.
 */
class VerbsCallFields
{
  public:
    /** @param object outlives this */
    explicit VerbsCallFields(const nlohmann::json& object);

    bool Has(const char* key) const;

    /** A whole number from 0 to a maximum. */
    uint64_t Unsigned(const char* key, uint64_t maximum);

    /** The same, of the width of what it is stored to. */
    template <typename T>
    void Read(const char* key, T& value)
    {
        value = static_cast<T>(Unsigned(key, static_cast<T>(~T{0})));
    }

    /** The same; left alone where the object has no such member. */
    template <typename T>
    void ReadIfThere(const char* key, T& value)
    {
        if (Has(key))
        {
            Read(key, value);
        }
    }

    /** A whole number from minimum to maximum. */
    int64_t Signed(const char* key, int64_t minimum, int64_t maximum);

    /** An address: a string "0x" with up to 16 hexadecimal digits. */
    uint64_t Address(const char* key);

    std::string Text(const char* key);

    /** An array; an empty one if it is not there. */
    const nlohmann::json& List(const char* key);

    /** What is wrong with the object; file and line are for the caller. */
    const std::optional<Diagnostic>& GetError() const
    {
        return m_error;
    }

    /** Notes that a member is not as it should be, if it is the first such. */
    void Complain(const std::string& key, const std::string& expected);

    /** Takes over what is wrong with an object inside of this one. */
    void Adopt(const VerbsCallFields& part);

  private:
    const nlohmann::json* Find(const char* key) const;

    const nlohmann::json& m_object;
    std::optional<Diagnostic> m_error;
};

/** An address as a string "0x" with up to 16 hexadecimal digits; nothing if it is none. */
std::optional<uint64_t> ParseAddress(const std::string& text);

} // namespace ns3::rdma
