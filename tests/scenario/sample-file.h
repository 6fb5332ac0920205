// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace ns3::rdma
{

/** A file of the test's own, gone with this object and all that lies beside it. */
class SampleFile
{
  public:
    SampleFile(const std::string& name, const std::string& text)
        : m_folder{testing::TempDir() + "rdmasim-" + std::to_string(getpid())},
          m_path{m_folder + "/" + name}
    {
        std::filesystem::create_directories(m_folder);
        std::ofstream{m_path} << text;
    }

    ~SampleFile()
    {
        std::filesystem::remove_all(m_folder);
    }

    SampleFile(const SampleFile&) = delete;
    SampleFile& operator=(const SampleFile&) = delete;

    const std::string& GetPath() const
    {
        return m_path;
    }

    /** Another file in the same folder. */
    void AddNeighbour(const std::string& name, const std::string& text) const
    {
        std::ofstream{m_folder + "/" + name} << text;
    }

  private:
    std::string m_folder;
    std::string m_path;
};

} // namespace ns3::rdma
