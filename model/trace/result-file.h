// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ns3::rdma
{

/**
 * One file of a result folder: written as "<name>.part", renamed to its name when it is whole.
 *
 * The first error is kept and ends all writing; the part that was written stays for inspection.
 * Bytes go out in blocks, so an error of the disk may show up only later, at the latest in Commit.
 */
class ResultFile
{
  public:
    /** Nothing happens to the disk before Open. */
    explicit ResultFile(std::filesystem::path path);

    /** Leaves the part where it is, unless Commit or Abandon was called. */
    ~ResultFile();

    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    /** Creates the part, empty. @return whether that was possible */
    bool Open();

    /** Adds bytes; ignored after an error. */
    void Write(std::string_view text);

    /** Writes what is left, closes and renames. @return whether the whole file is in place */
    bool Commit();

    /** Closes and removes the part. */
    void Abandon();

    /** What the system said of the first error, with the path; empty if there was none. */
    const std::string& GetError() const
    {
        return m_error;
    }

    const std::filesystem::path& GetPath() const
    {
        return m_path;
    }

  private:
    void Flush();
    void Close();
    void Fail(const std::filesystem::path& path);

    std::filesystem::path m_path;
    std::filesystem::path m_part;
    std::string m_buffer;
    std::string m_error;
    int m_descriptor{-1};
};

} // namespace ns3::rdma
