// SPDX-License-Identifier: GPL-2.0-only
#include "trace/result-folder.h"

#include <algorithm>
#include <system_error>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

Diagnostic
MakeDiagnostic(const std::string& error)
{
    Diagnostic diagnostic;
    diagnostic.message = "the result folder cannot be written";
    diagnostic.got = error;
    diagnostic.expected = "a folder in which files can be created";
    return diagnostic;
}

/** The folders of a path that do not exist yet, innermost first. */
std::vector<fs::path>
MissingFolders(fs::path path)
{
    std::vector<fs::path> missing;
    std::error_code ignored;
    while (!path.empty() && !fs::exists(path, ignored))
    {
        missing.push_back(path);
        path = path.parent_path();
    }
    return missing;
}

void
RemoveFolders(const std::vector<fs::path>& folders)
{
    std::error_code ignored;
    for (const fs::path& folder : folders)
    {
        fs::remove(folder, ignored);
    }
}

} // namespace

Expected<std::unique_ptr<ResultFolder>>
ResultFolder::Open(const std::filesystem::path& path,
                   const std::vector<std::string>& names,
                   const std::vector<std::string>& stale)
{
    const std::vector<fs::path> created = MissingFolders(path);
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
    {
        RemoveFolders(created);
        return MakeDiagnostic(path.string() + ": " + error.message());
    }
    std::unique_ptr<ResultFolder> folder{new ResultFolder{path}};
    folder->m_names = names;
    for (const std::string& name : names)
    {
        folder->m_files.push_back(std::make_unique<ResultFile>(path / name));
        if (folder->m_files.back()->Open())
        {
            continue;
        }
        const Diagnostic diagnostic = MakeDiagnostic(folder->m_files.back()->GetError());
        for (const auto& file : folder->m_files)
        {
            file->Abandon();
        }
        RemoveFolders(created);
        return diagnostic;
    }
    for (const auto* list : {&names, &stale})
    {
        std::for_each(list->begin(),
                      list->end(),
                      [&](const std::string& name) { fs::remove(path / name, error); });
    }
    for (const std::string& name : stale)
    {
        fs::remove(path / (name + ".part"), error);
    }
    return folder;
}

ResultFile&
ResultFolder::Get(const std::string& name)
{
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    return *m_files[static_cast<std::size_t>(found - m_names.begin())];
}

std::vector<std::string>
ResultFolder::CommitAllBut(const std::string& last)
{
    std::vector<std::string> errors;
    for (std::size_t i = 0; i < m_names.size(); ++i)
    {
        if (m_names[i] != last && !m_files[i]->Commit())
        {
            errors.push_back(m_files[i]->GetError());
        }
    }
    return errors;
}

} // namespace ns3::rdma
