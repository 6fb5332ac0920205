// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace ns3::rdma
{

/**
 * Adds bytes to the end of a file, which is made if it is not there.
 *
 * All or nothing: what a full disk took of them is cut off again. No file stays open between two
 * calls, because programs close descriptors that they do not know.
 *
 * @return 0, or what errno was
 */
int AppendToFile(const std::string& path, std::span<const std::byte> bytes);

/** The folder of one recorded process: <where>/<host>-<program>-<pid>. */
class ProcessFolder
{
  public:
    /** @param where folder for all processes; made when it is needed; relative to where we are now
     */
    void SetParent(const std::string& where);

    /**
     * Makes the folder with the beginning of its manifest.
     *
     * @param originNs nanoseconds since 1970 at the origin of all times
     * @return 0, or what errno was
     */
    int Make(int64_t originNs);

    /** Adds lines to the manifest. @return 0, or what errno was */
    int AppendManifest(const std::string& lines) const;

    const std::string& GetPath() const
    {
        return m_path.empty() ? m_parent : m_path;
    }

    /** The folder belongs to the parent of a forked process: this one makes its own. */
    void Leave()
    {
        m_path.clear();
    }

  private:
    std::string m_parent;
    std::string m_path;
};

} // namespace ns3::rdma
