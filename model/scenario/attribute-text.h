// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include "ns3/type-id.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * An attribute as text: what may be written for it, and the value that a text stands for.
 *
 * The one place that knows the kinds of ns-3's own attribute values beside those of
 * base/attributes.h.
 */
class AttributeText
{
  public:
    enum class Kind
    {
        TIME,
        BYTES,
        RATE,
        FRACTION,
        CHOICE,
        BOOLEAN,
        WHOLE_NUMBER,  ///< unsigned
        INTEGER,       ///< signed
        REAL,          ///< without a unit
        TEXT,          ///< free; lists are joined with blanks
        NOT_SUPPORTED, ///< pointers and the like, which no text can give
    };

    explicit AttributeText(const TypeId::AttributeInformation& attribute);

    bool IsSupported() const
    {
        return m_kind != Kind::NOT_SUPPORTED;
    }

    Kind GetKind() const
    {
        return m_kind;
    }

    /** "time", "rate", "whole number", ...; with the range or the choices where there are some. */
    std::string Describe() const;

    /** The default, as a user would write it. */
    std::string GetDefault() const;

    /** All that is wrong with a text, without file, line and key; empty if it is right. */
    Diagnostics Check(const std::string& text) const;

    /** The value of a text that Check found right. */
    Ptr<AttributeValue> MakeValue(const std::string& text) const;

    /** A right text in its normal form: "1000us" -> "1ms". */
    std::string Normalise(const std::string& text) const;

    /** JSON Schema of the values that may be written, with help and default. */
    nlohmann::ordered_json GetSchema() const;

  private:
    std::string GetRange() const;
    std::vector<std::string> GetNames() const;
    Diagnostics CheckNumber(const std::string& text) const;
    Diagnostics CheckChoice(const std::string& text) const;
    Diagnostic Wrong(const std::string& message, const std::string& text) const;

    TypeId::AttributeInformation m_attribute;
    Kind m_kind;
};

/** JSON Schema of a quantity of a kind, for keys that are no attributes. */
nlohmann::ordered_json GetQuantitySchema(AttributeText::Kind kind);

} // namespace ns3::rdma
