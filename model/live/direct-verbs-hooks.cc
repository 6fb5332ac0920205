// SPDX-License-Identifier: GPL-2.0-only
#include "live/control-call.h"
#include "live/device-hooks.h"
#include "live/extended-queue.h"
#include "live/real-function.h"
#include "live/recorder.h"

#include <array>
#include <atomic>
#include <cstdarg>

/**
 * @file
 * Vendors' own calls.
 *
 * Those that make ordinary queue pairs and completion queues are recorded as such. Of those by
 * which a program reaches the device itself (its queues in memory, DEVX commands), what follows is
 * seen by nobody but the device: the user is told, once.
 */
namespace
{

using namespace ns3::rdma;

constexpr const char* MLX5 = "libmlx5.so.1";

/** Tells the user, once, that the trace will not be complete. */
void
WarnOfDirectVerbs(const char* name)
{
    static std::atomic<bool> isTold{false};
    if (!isTold.exchange(true))
    {
        Recorder::Say("the program drives the device itself; what it does so is not in the trace "
                      "(for UCX: UCX_TLS=rc_verbs,ud_verbs)",
                      name,
                      0);
    }
}

} // namespace

#if defined(__x86_64__)

/** Where a call of that name goes on; told to the user. Called by the entries below. */
extern "C" __attribute__((visibility("hidden"), used)) void*
RdmasimFindDirect(const char* name)
{
    WarnOfDirectVerbs(name);
    const std::string_view word{name};
    const char* library = word.starts_with("mlx4")   ? "libmlx4.so.1"
                          : word.starts_with("mana") ? "libmana.so.1"
                                                     : MLX5;
    return FindRealFunction(library, name);
}

// An entry passes all arguments on, whatever they are: their registers are kept over the search.
#define RDMASIM_DIRECT(name)                                                                       \
    asm(".pushsection .data\n"                                                                     \
        ".balign 8\n"                                                                              \
        "rdmasim_real_" #name ": .quad 0\n"                                                        \
        ".popsection\n"                                                                            \
        ".pushsection .rodata\n"                                                                   \
        "rdmasim_name_" #name ": .asciz \"" #name "\"\n"                                           \
        ".popsection\n"                                                                            \
        ".pushsection .text\n"                                                                     \
        ".globl " #name "\n"                                                                       \
        ".type " #name ", @function\n" #name ":\n"                                                 \
        "mov rdmasim_real_" #name "(%rip), %r11\n"                                                 \
        "test %r11, %r11\n"                                                                        \
        "jnz 1f\n"                                                                                 \
        "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\npush %rax\n"              \
        "lea rdmasim_name_" #name "(%rip), %rdi\n"                                                 \
        "call RdmasimFindDirect\n"                                                                 \
        "mov %rax, rdmasim_real_" #name "(%rip)\n"                                                 \
        "mov %rax, %r11\n"                                                                         \
        "pop %rax\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\n"                     \
        "1: jmp *%r11\n"                                                                           \
        ".size " #name ", . - " #name "\n"                                                         \
        ".popsection\n")

RDMASIM_DIRECT(mlx5dv_init_obj);
RDMASIM_DIRECT(mlx5dv_devx_obj_create);
RDMASIM_DIRECT(mlx5dv_devx_umem_reg);
RDMASIM_DIRECT(mlx5dv_devx_umem_reg_ex);
RDMASIM_DIRECT(mlx5dv_devx_alloc_uar);
RDMASIM_DIRECT(mlx5dv_devx_create_cmd_comp);
RDMASIM_DIRECT(mlx5dv_devx_create_event_channel);
RDMASIM_DIRECT(mlx5dv_devx_general_cmd);
RDMASIM_DIRECT(mlx5dv_qp_ex_from_ibv_qp_ex);
RDMASIM_DIRECT(mlx5dv_create_wq);
RDMASIM_DIRECT(mlx5dv_get_vfio_device_list);
RDMASIM_DIRECT(mlx4dv_init_obj);
RDMASIM_DIRECT(manadv_init_obj);

#endif

/** @name Ordinary objects with attributes of a vendor, which nobody but the vendor looks at. @{ */

extern "C"
{
    ibv_context* mlx5dv_open_device(ibv_device* device, void* attributes);
    ibv_qp* mlx5dv_create_qp(ibv_context* context, ibv_qp_init_attr_ex* attributes, void* own);
    ibv_cq_ex* mlx5dv_create_cq(ibv_context* context, ibv_cq_init_attr_ex* attributes, void* own);
    ibv_qp* efadv_create_qp_ex(ibv_context* context,
                               ibv_qp_init_attr_ex* attributes,
                               void* own,
                               uint32_t bytes);
}

RDMASIM_HOOK ibv_context*
mlx5dv_open_device(ibv_device* device, void* attributes)
{
    RDMASIM_REAL(MLX5, mlx5dv_open_device);
    ControlCall call;
    ibv_context* context = real(device, attributes);
    HookDevice(call, context);
    return context;
}

RDMASIM_HOOK ibv_qp*
mlx5dv_create_qp(ibv_context* context, ibv_qp_init_attr_ex* attributes, void* own)
{
    RDMASIM_REAL(MLX5, mlx5dv_create_qp);
    ControlCall call;
    ibv_qp* queuePair = real(context, attributes, own);
    RecordQueuePair(call, queuePair, *reinterpret_cast<const ibv_qp_init_attr*>(attributes));
    return queuePair;
}

RDMASIM_HOOK ibv_cq_ex*
mlx5dv_create_cq(ibv_context* context, ibv_cq_init_attr_ex* attributes, void* own)
{
    RDMASIM_REAL(MLX5, mlx5dv_create_cq);
    ControlCall call;
    ibv_cq_init_attr_ex wider = *attributes;
    wider.wc_flags |= NEEDED_ENTRY_FLAGS;
    ibv_cq_ex* queue = real(context, &wider, own);
    RecordExtendedQueue(call, queue, attributes->channel, wider.wc_flags);
    return queue;
}

RDMASIM_HOOK ibv_qp*
efadv_create_qp_ex(ibv_context* context, ibv_qp_init_attr_ex* attributes, void* own, uint32_t bytes)
{
    RDMASIM_REAL("libefa.so.1", efadv_create_qp_ex);
    ControlCall call;
    ibv_qp* queuePair = real(context, attributes, own, bytes);
    RecordQueuePair(call, queuePair, *reinterpret_cast<const ibv_qp_init_attr*>(attributes));
    return queuePair;
}

/** @} */
