// SPDX-License-Identifier: GPL-2.0-only
#include "live/process-folder.h"

#include "tracefile/trace-manifest.h"

#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

constexpr mode_t FOLDER_MODE = 0777; // what the user's mask leaves of it
constexpr mode_t FILE_MODE = 0666;

/** Makes a folder and those above it. @return 0, or what errno was */
int
MakeFolders(const std::string& path)
{
    for (std::size_t end = path.find('/', 1); end != std::string::npos;
         end = path.find('/', end + 1))
    {
        mkdir(path.substr(0, end).c_str(), FOLDER_MODE);
    }
    return mkdir(path.c_str(), FOLDER_MODE) == 0 || errno == EEXIST ? 0 : errno;
}

std::string
GetHost()
{
    char name[HOST_NAME_MAX + 1]{};
    gethostname(name, HOST_NAME_MAX);
    return name;
}

std::string
GetExecutable()
{
    char path[PATH_MAX + 1]{};
    return readlink("/proc/self/exe", path, PATH_MAX) > 0 ? path : "unknown";
}

} // namespace

int
AppendToFile(const std::string& path, std::span<const std::byte> bytes)
{
    const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, FILE_MODE);
    if (file < 0)
    {
        return errno;
    }
    struct stat before
    {
    };
    fstat(file, &before);
    int error = 0;
    std::size_t written = 0;
    while (written < bytes.size() && error == 0)
    {
        const ssize_t count = write(file, bytes.data() + written, bytes.size() - written);
        if (count > 0)
        {
            written += static_cast<std::size_t>(count);
        }
        else if (count == 0 || errno != EINTR)
        {
            error = count == 0 ? ENOSPC : errno;
        }
    }
    if (error != 0 && written != 0 && ftruncate(file, before.st_size) != 0)
    {
        error = errno;
    }
    // A network's file system may tell only now that there was no room.
    const int closed = close(file) == 0 ? 0 : errno;
    return error != 0 ? error : closed;
}

void
ProcessFolder::SetParent(const std::string& where)
{
    char here[PATH_MAX + 1]{};
    const bool isRelative = where.empty() || where.front() != '/';
    m_parent =
        isRelative && getcwd(here, PATH_MAX) != nullptr ? std::string{here} + "/" + where : where;
}

int
ProcessFolder::Make(int64_t originNs)
{
    if (const int error = MakeFolders(m_parent); error != 0)
    {
        return error;
    }
    TraceManifest manifest;
    manifest.host = GetHost();
    manifest.executable = GetExecutable();
    manifest.pid = static_cast<uint64_t>(getpid());
    manifest.originNs = originNs;
    const std::string program = manifest.executable.substr(manifest.executable.rfind('/') + 1);
    const std::string base =
        m_parent + "/" + manifest.host + "-" + program + "-" + std::to_string(getpid());
    m_path = base;
    // A process that executes a second program keeps its number.
    for (int next = 2; mkdir(m_path.c_str(), FOLDER_MODE) != 0; ++next)
    {
        if (errno != EEXIST)
        {
            return errno;
        }
        m_path = base + "." + std::to_string(next);
    }
    manifest.name =
        manifest.host + "/" + program + m_path.substr(base.rfind('-')).replace(0, 1, ":");
    return AppendManifest(ToString(manifest));
}

int
ProcessFolder::AppendManifest(const std::string& lines) const
{
    return AppendToFile(m_path + "/" + TraceManifest::FILE_NAME,
                        std::as_bytes(std::span{lines.data(), lines.size()}));
}

} // namespace ns3::rdma
