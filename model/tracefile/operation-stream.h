// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "tracefile/operation.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Operations of one thread, one after the other; memory does not grow with their number. */
class OperationStream
{
  public:
    virtual ~OperationStream() = default;

    /**
     * Takes the next operation.
     *
     * @param operation filled in place; what it held before is lost
     * @return false: there is none left, or what follows cannot be read (GetDamage)
     */
    virtual bool Next(TraceOperation& operation) = 0;

    /** Why the stream ended before its end: file, line or offset; nullopt while all is well. */
    const std::optional<Diagnostic>& GetDamage() const
    {
        return m_damage;
    }

  protected:
    void SetDamage(Diagnostic damage)
    {
        m_damage = std::move(damage);
    }

  private:
    std::optional<Diagnostic> m_damage;
};

/** A program, a rank, or an end of a capture: what is mapped to a host. */
struct TraceProcess
{
    std::string name; ///< unique: "vm1/rping:1539", "rank 3", "10.0.0.1", "host 12"
    std::string host; ///< where it ran; processes with the same one share a host. Empty: unknown
    std::vector<Gid>
        gids; ///< its addresses, as far as they are known before its operations are read
    /** Its clock at the origin of its times: nanoseconds since 1970. 0: unknown, or simulated. */
    int64_t originNs{0};
};

enum class ThreadOrder : uint8_t
{
    PROGRAM, ///< operations begin one after the other: a program
    GRAPH,   ///< only dependencies order them: a schedule
};

struct TraceThread
{
    uint32_t process{0}; ///< index into Trace::processes
    std::string name;    ///< "1539"
    ThreadOrder order{ThreadOrder::PROGRAM};
    std::unique_ptr<OperationStream> operations;
};

/** Whether times in a trace say when something happened, or only in which order. */
enum class TraceTiming : uint8_t
{
    RECORDED, ///< times of the recorded run
    PLANNED,  ///< starts that a schedule or flow list asks for
    NONE,     ///< dependencies only
};

/** An opened trace: who takes part, and their operations, unread. */
struct Trace
{
    std::string format; ///< name of the reader
    TraceTiming timing{TraceTiming::RECORDED};
    std::vector<TraceProcess> processes;
    std::vector<TraceThread> threads;
    std::vector<std::string> notes; ///< what a person should know: unit inferred, packets lost
};

} // namespace ns3::rdma
