// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/traced-program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <link.h>
#include <set>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* PRELOAD = "LD_PRELOAD";
constexpr const char* PRELOAD_WORD = "LD_PRELOAD=";
constexpr const char* FOLDER_WORD = "RDMASIM_RECORD_OUT=";

/** What a signal handler passes signals on to. */
volatile pid_t g_program = 0;

void
PassOn(int signal)
{
    if (g_program > 0)
    {
        kill(g_program, signal);
    }
}

/** Of signals to this process, until it goes out of scope; what comes before To waits for it. */
class SignalsPassedOn
{
  public:
    SignalsPassedOn()
    {
        struct sigaction pass
        {
        };
        pass.sa_handler = &PassOn;
        struct sigaction ignore
        {
        };
        ignore.sa_handler = SIG_IGN;
        sigaction(SIGTERM, &pass, &m_before[0]);
        sigaction(SIGHUP, &pass, &m_before[1]);
        // A terminal sends it to the program, too.
        sigaction(SIGINT, &ignore, &m_before[2]);
        sigset_t passed;
        sigemptyset(&passed);
        sigaddset(&passed, SIGTERM);
        sigaddset(&passed, SIGHUP);
        sigprocmask(SIG_BLOCK, &passed, &m_mask);
    }

    /** The signals that were blocked before. */
    const sigset_t& GetMask() const
    {
        return m_mask;
    }

    /** Whom they go to from now on; 0: nobody. */
    void To(pid_t program) const
    {
        g_program = program;
        sigprocmask(SIG_SETMASK, &m_mask, nullptr);
    }

    ~SignalsPassedOn()
    {
        To(0);
        sigaction(SIGTERM, &m_before[0], nullptr);
        sigaction(SIGHUP, &m_before[1], nullptr);
        sigaction(SIGINT, &m_before[2], nullptr);
    }

  private:
    std::array<struct sigaction, 3> m_before{};
    sigset_t m_mask{};
};

std::string
ReadBytes(const std::string& path)
{
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/** The words "IBVERBS_..." among the strings of a library. */
std::set<std::string>
FindVersions(const std::string& path)
{
    constexpr std::string_view PREFIX = "IBVERBS_";
    const std::string bytes = ReadBytes(path);
    std::set<std::string> found;
    for (std::size_t at = bytes.find(PREFIX); at != std::string::npos;
         at = bytes.find(PREFIX, at + 1))
    {
        const std::size_t end =
            bytes.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", at);
        if (end != std::string::npos && bytes[end] == '\0' && (at == 0 || bytes[at - 1] == '\0'))
        {
            found.insert(bytes.substr(at, end - at));
        }
    }
    return found;
}

/** Where the loader finds the real libibverbs.so.1; empty if it does not. */
std::string
FindRealLibrary()
{
    void* library = dlopen("libibverbs.so.1", RTLD_LAZY | RTLD_LOCAL);
    link_map* map = nullptr;
    std::string path;
    if (library != nullptr && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
    {
        path = map->l_name;
    }
    if (library != nullptr)
    {
        dlclose(library);
    }
    return path;
}

/** This process' environment with two variables set. */
std::vector<std::string>
MakeEnvironment(const std::string& preload, const std::string& folder)
{
    std::vector<std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry)
    {
        const std::string word = *entry;
        if (!word.starts_with(PRELOAD_WORD) && !word.starts_with(FOLDER_WORD))
        {
            environment.push_back(word);
        }
    }
    environment.push_back(PRELOAD_WORD + preload);
    environment.push_back(FOLDER_WORD + folder);
    return environment;
}

std::vector<char*>
ToPointers(std::vector<std::string>& words)
{
    std::vector<char*> pointers;
    for (std::string& word : words)
    {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

std::vector<std::string>
FindMissingVersions(const std::string& library, const std::string& standIn)
{
    const auto has = FindVersions(standIn);
    std::vector<std::string> missing;
    for (const std::string& version : FindVersions(library))
    {
        if (!has.contains(version))
        {
            missing.push_back(version);
        }
    }
    return missing;
}

Expected<RecorderLibraries>
FindRecorder()
{
    std::error_code none;
    const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
    RecorderLibraries libraries{.recorder = folder / "librdmasim-record.so",
                                .standIn = folder / "librdmasim-ibverbs.so",
                                .note = ""};
    for (const std::string& file : {libraries.recorder, libraries.standIn})
    {
        if (!fs::exists(file))
        {
            return Diagnostic{file, 0, "", "the recorder's library is not there", "", "", "", {}};
        }
        if (file.find_first_of(" :") != std::string::npos)
        {
            return Diagnostic{file,
                              0,
                              "",
                              "the loader takes this for several libraries",
                              "",
                              "a path without ' ' and ':'",
                              "",
                              {}};
        }
    }
    const std::string real = FindRealLibrary();
    const auto missing =
        real.empty() ? std::vector<std::string>{} : FindMissingVersions(real, libraries.standIn);
    if (!missing.empty())
    {
        libraries.standIn.clear();
        libraries.note = real + " is newer than this build (" + missing.front() +
                         "): programs that load it themselves are not recorded; build again";
    }
    return libraries;
}

std::string
MakePreload(const RecorderLibraries& libraries, const std::string& before)
{
    std::string preload = libraries.recorder;
    preload += before.empty() ? "" : ":" + before;
    preload += libraries.standIn.empty() ? "" : ":" + libraries.standIn;
    return preload;
}

Expected<int>
RunTracedProgram(const std::vector<std::string>& words,
                 const RecorderLibraries& libraries,
                 const std::string& folder)
{
    const char* before = std::getenv(PRELOAD);
    auto environment =
        MakeEnvironment(MakePreload(libraries, before == nullptr ? "" : before), folder);
    auto arguments = words;
    const SignalsPassedOn signals;
    posix_spawnattr_t attributes;
    sigset_t ignored;
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGINT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    posix_spawnattr_setsigmask(&attributes, &signals.GetMask());
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    pid_t program = 0;
    const int error = posix_spawnp(&program,
                                   words.front().c_str(),
                                   nullptr,
                                   &attributes,
                                   ToPointers(arguments).data(),
                                   ToPointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
    {
        return Diagnostic{
            words.front(), 0, "", "cannot be started", std::strerror(error), "", "", {}};
    }
    signals.To(program);
    int status = 0;
    while (waitpid(program, &status, 0) < 0 && errno == EINTR)
    {
    }
    constexpr int SIGNAL_BASE = 128; // as a shell has it
    return WIFSIGNALED(status) ? SIGNAL_BASE + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace ns3::rdma
