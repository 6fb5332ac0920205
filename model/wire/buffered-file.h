// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * A file read from its beginning to its end, a piece of it in memory.
 *
 * The file is open only while a piece is read: there may be more of these than a process may have
 * open files.
 */
class BufferedFile
{
  public:
    /** How much is read at once, in bytes. */
    static constexpr std::size_t PIECE_BYTES = 1 << 16;

    explicit BufferedFile(std::string path);

    /** The next bytes, fewer at the end of the file; they live until the next call. */
    std::span<const std::byte> Peek(std::size_t bytes);

    /** Goes on behind bytes; those that Peek returned, or more. */
    void Skip(uint64_t bytes);

    /** Where the next byte is, from the file's beginning. */
    uint64_t GetOffset() const
    {
        return m_pieceOffset + m_next;
    }

    const std::string& GetPath() const
    {
        return m_path;
    }

    /** Whether the file could be opened each time so far. */
    bool IsReadable() const
    {
        return m_isReadable;
    }

  private:
    void Fill(std::size_t bytes);

    std::string m_path;
    std::vector<std::byte> m_piece;
    uint64_t m_pieceOffset{0}; ///< where the piece begins in the file
    std::size_t m_next{0};     ///< in the piece; beyond its end after a long Skip
    bool m_isReadable{true};
};

} // namespace ns3::rdma
