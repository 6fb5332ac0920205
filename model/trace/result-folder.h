// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "trace/result-file.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** The folder of one run's results, and its files. */
class ResultFolder
{
  public:
    /**
     * Creates the folder if it is missing, opens the files, and removes old ones.
     *
     * Old files go only when all new ones could be opened; on an error everything is as before.
     *
     * @param names what the run writes
     * @param stale what other runs may have written there, and this one does not
     * @error the folder or a file cannot be created; the message has the system's reason
     */
    static Expected<std::unique_ptr<ResultFolder>> Open(const std::filesystem::path& path,
                                                        const std::vector<std::string>& names,
                                                        const std::vector<std::string>& stale);

    /** A file that was named to Open. */
    ResultFile& Get(const std::string& name);

    /** Puts all files in place that are whole, but one. @return the errors of the others */
    std::vector<std::string> CommitAllBut(const std::string& last);

    const std::filesystem::path& GetPath() const
    {
        return m_path;
    }

  private:
    explicit ResultFolder(std::filesystem::path path) : m_path{std::move(path)} {}

    std::filesystem::path m_path;
    std::vector<std::string> m_names;
    std::vector<std::unique_ptr<ResultFile>> m_files; ///< as m_names
};

} // namespace ns3::rdma
