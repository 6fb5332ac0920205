// SPDX-License-Identifier: GPL-2.0-only
#include "trace/result-file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

/** @choice large enough that system calls cost nothing beside the formatting of rows */
constexpr std::size_t BLOCK_BYTES = std::size_t{64} * 1024;

constexpr mode_t FILE_MODE = 0666; ///< the user's umask takes off what it wants

} // namespace

ResultFile::ResultFile(std::filesystem::path path) : m_path{std::move(path)}, m_part{m_path}
{
    m_part += ".part";
}

ResultFile::~ResultFile()
{
    Flush();
    Close();
}

bool
ResultFile::Open()
{
    m_descriptor = ::open(m_part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
    if (m_descriptor < 0)
    {
        Fail(m_part);
    }
    return m_descriptor >= 0;
}

void
ResultFile::Write(std::string_view text)
{
    m_buffer += text;
    if (m_buffer.size() >= BLOCK_BYTES)
    {
        Flush();
    }
}

void
ResultFile::Flush()
{
    std::string_view left{m_buffer};
    while (!left.empty() && m_descriptor >= 0 && m_error.empty())
    {
        const ssize_t written = ::write(m_descriptor, left.data(), left.size());
        if (written >= 0)
        {
            left.remove_prefix(static_cast<std::size_t>(written));
        }
        else if (errno != EINTR)
        {
            Fail(m_part);
        }
    }
    m_buffer.clear();
}

void
ResultFile::Close()
{
    if (m_descriptor >= 0 && ::close(m_descriptor) != 0)
    {
        Fail(m_part);
    }
    m_descriptor = -1;
}

bool
ResultFile::Commit()
{
    Flush();
    Close();
    if (m_error.empty() && std::rename(m_part.c_str(), m_path.c_str()) != 0)
    {
        Fail(m_path);
    }
    return m_error.empty();
}

void
ResultFile::Abandon()
{
    m_buffer.clear();
    if (m_descriptor >= 0)
    {
        Close();
        ::unlink(m_part.c_str());
    }
}

void
ResultFile::Fail(const std::filesystem::path& path)
{
    if (m_error.empty())
    {
        m_error = path.string() + ": " + std::strerror(errno);
    }
}

} // namespace ns3::rdma
