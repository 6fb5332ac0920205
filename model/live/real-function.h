// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace ns3::rdma
{

/**
 * The function that the program would have called without the recorder.
 *
 * That is the next one of its name in the order in which libraries were loaded. If it is that of
 * the library that stands in for libibverbs.so.1, then what that forwards to; and if the library
 * was loaded for somebody alone (dlopen), it is looked for there.
 *
 * @param library "libibverbs.so.1"
 * @error ends the program with a message: it calls what does not exist
 */
void* FindRealFunction(const char* library, const char* name);

/** As above, looked for once. */
template <typename Function>
class RealFunction
{
  public:
    RealFunction(const char* library, const char* name)
        : m_function{reinterpret_cast<Function*>(FindRealFunction(library, name))}
    {
    }

    template <typename... Arguments>
    auto operator()(Arguments... arguments) const
    {
        return m_function(arguments...);
    }

  private:
    Function* m_function;
};

} // namespace ns3::rdma

/** A variable that is the real function of a name. */
#define RDMASIM_REAL_NAMED(variable, library, name)                                                \
    static const ns3::rdma::RealFunction<decltype(name)> variable(library, #name)

/** The real function of a hook's name; in its body. */
#define RDMASIM_REAL(library, name) RDMASIM_REAL_NAMED(real, library, name)

/** Seen by the program. */
#define RDMASIM_HOOK extern "C" __attribute__((visibility("default")))
