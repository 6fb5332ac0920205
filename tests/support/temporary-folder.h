// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace ns3::rdma
{

/** An empty folder of its own; gone with the object. */
class TemporaryFolder
{
  public:
    TemporaryFolder()
    {
        std::string path = std::filesystem::temp_directory_path() / "rdmasim-test-XXXXXX";
        if (mkdtemp(path.data()) == nullptr)
        {
            throw std::runtime_error{"no temporary folder"};
        }
        m_path = path;
    }

    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& Path() const
    {
        return m_path;
    }

    /** The bytes of a file in it; empty if there is none. */
    std::string Read(const std::string& name) const
    {
        std::ifstream stream{m_path / name, std::ios::binary};
        return {std::istreambuf_iterator<char>{stream}, {}};
    }

  private:
    std::filesystem::path m_path;
};

} // namespace ns3::rdma
