// SPDX-License-Identifier: GPL-2.0-only
#pragma once

/**
 * @file
 * A library that has the name, symbols and versions of libibverbs.so.1, and forwards all calls.
 *
 * Programs that load libibverbs.so.1 themselves and ask it for symbols (dlopen, dlvsym) pass by
 * what was loaded before, the recorder included. With this one loaded before, they find it instead
 * of the real one, and it forwards to whoever would have got the call of a program that is linked:
 * the recorder first.
 */
namespace ns3::rdma
{

/** A symbol of the library that is stood in for. */
struct StandInSymbol
{
    const char* name;
    const char* version; ///< "IBVERBS_1.1"
    bool isDefault;      ///< the version that programs get that are linked today
    bool isFunction;
};

/** @name Made when the library is built, from the one that is installed. @{ */
extern const StandInSymbol STAND_IN_SYMBOLS[];
extern const unsigned STAND_IN_COUNT;
extern const char* const STAND_IN_LIBRARY; ///< its path
/** @} */

} // namespace ns3::rdma

#if defined(__x86_64__)
#define RDMASIM_STAND_IN_JUMP(number) "jmp *(rdmasim_stand_in_slots + 8 * " #number ")(%rip)\n"
#elif defined(__aarch64__)
#define RDMASIM_STAND_IN_JUMP(number)                                                              \
    "adrp x16, rdmasim_stand_in_slots + 8 * " #number "\n"                                         \
    "ldr x16, [x16, :lo12:(rdmasim_stand_in_slots + 8 * " #number ")]\n"                           \
    "br x16\n"
#else
#error "no jump for this processor"
#endif

/** An entry that goes on where its slot points to, with all registers as they are. */
#define RDMASIM_STAND_IN_FUNCTION(number, versioned)                                               \
    asm(".pushsection .text\n"                                                                     \
        ".balign 16\n"                                                                             \
        ".globl rdmasim_stand_in_" #number "\n"                                                    \
        ".type rdmasim_stand_in_" #number ", @function\n"                                          \
        "rdmasim_stand_in_" #number ":\n" RDMASIM_STAND_IN_JUMP(                                   \
            number) ".size rdmasim_stand_in_" #number ", . - rdmasim_stand_in_" #number "\n"       \
                    ".symver rdmasim_stand_in_" #number ", " versioned "\n"                        \
                    ".popsection\n")

/** A variable: the real library, loaded later, uses this one, as it would a program's copy. */
#define RDMASIM_STAND_IN_OBJECT(number, versioned, bytes)                                          \
    asm(".pushsection .bss\n"                                                                      \
        ".balign 16\n"                                                                             \
        ".globl rdmasim_stand_in_" #number "\n"                                                    \
        ".type rdmasim_stand_in_" #number ", @object\n"                                            \
        "rdmasim_stand_in_" #number ": .skip " #bytes "\n"                                         \
        ".size rdmasim_stand_in_" #number ", " #bytes "\n"                                         \
        ".symver rdmasim_stand_in_" #number ", " versioned "\n"                                    \
        ".popsection\n")
