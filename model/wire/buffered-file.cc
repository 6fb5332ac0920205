// SPDX-License-Identifier: GPL-2.0-only
#include "wire/buffered-file.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace ns3::rdma
{

BufferedFile::BufferedFile(std::string path) : m_path{std::move(path)} {}

std::span<const std::byte>
BufferedFile::Peek(std::size_t bytes)
{
    if (m_next + bytes > m_piece.size())
    {
        Fill(bytes);
    }
    return std::span{m_piece}.subspan(m_next, std::min(bytes, m_piece.size() - m_next));
}

void
BufferedFile::Skip(uint64_t bytes)
{
    m_next += bytes;
}

void
BufferedFile::Fill(std::size_t bytes)
{
    const std::size_t kept = m_next < m_piece.size() ? m_piece.size() - m_next : 0;
    const uint64_t offset = GetOffset();
    std::copy_n(m_piece.end() - static_cast<std::ptrdiff_t>(kept), kept, m_piece.begin());
    m_piece.resize(std::max(bytes, kept + PIECE_BYTES));
    m_pieceOffset = offset;
    m_next = 0;

    std::ifstream file{m_path, std::ios::binary};
    m_isReadable = m_isReadable && file.is_open();
    file.seekg(static_cast<std::streamoff>(offset + kept));
    file.read(reinterpret_cast<char*>(m_piece.data() + kept),
              static_cast<std::streamsize>(m_piece.size() - kept));
    m_piece.resize(kept + static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
}

} // namespace ns3::rdma
