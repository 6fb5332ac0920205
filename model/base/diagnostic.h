// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::rdma
{

/**
 * One thing that is wrong with the user's input, with all that he needs to mend it.
 *
 * Fields that do not apply stay empty; line 0 means "no line".
 */
struct Diagnostic
{
    std::string file;                    ///< as the user named it
    uint32_t line{0};                    ///< from 1
    std::string key;                     ///< dotted path of the key, or the column's name
    std::string message;                 ///< what is wrong, one sentence
    std::string got;                     ///< the offending text
    std::string expected;                ///< what would be right, with units and range
    std::string nearest;                 ///< nearest known name, if one is near
    std::vector<std::string> knownNames; ///< all known names, for an unknown one

    bool operator==(const Diagnostic&) const = default;
};

/** All that was found wrong in one pass over the input; never empty inside an Expected. */
using Diagnostics = std::vector<Diagnostic>;

/** One line a person can act on: "file:12: switch.bufer: unknown key; did you mean 'buffer'?" */
std::string ToString(const Diagnostic& diagnostic);

/** One line each, with its line end, ordered by file, line and key. */
std::string ToString(Diagnostics diagnostics);

/** Edit-distance search for a misspelt name; empty when nothing is near enough to be meant. */
std::string NearestName(const std::string& name, const std::vector<std::string>& known);

/** A value, or everything that kept it from being made. */
template <typename T>
class [[nodiscard]] Expected
{
  public:
    Expected(T value) : m_state{std::move(value)} {}

    Expected(Diagnostic error) : m_state{Diagnostics{std::move(error)}} {}

    Expected(Diagnostics errors) : m_state{std::move(errors)} {}

    bool HasValue() const
    {
        return std::holds_alternative<T>(m_state);
    }

    explicit operator bool() const
    {
        return HasValue();
    }

    T& operator*()
    {
        return std::get<T>(m_state);
    }

    const T& operator*() const
    {
        return std::get<T>(m_state);
    }

    T* operator->()
    {
        return &std::get<T>(m_state);
    }

    const T* operator->() const
    {
        return &std::get<T>(m_state);
    }

    /** What went wrong; only when there is no value. */
    const Diagnostics& Errors() const
    {
        return std::get<Diagnostics>(m_state);
    }

  private:
    std::variant<T, Diagnostics> m_state;
};

} // namespace ns3::rdma
