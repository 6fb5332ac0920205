// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/decoded-file.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/** Opcodes of a reliable connection by their short name. */
const std::map<std::string, Opcode>&
OpcodesByName()
{
    static const std::map<std::string, Opcode> names = []
    {
        std::map<std::string, Opcode> map;
        for (uint8_t value = 0; value < 0x20; ++value)
        {
            if (FindOpcode(value) != nullptr)
            {
                map.emplace(ShortName(static_cast<Opcode>(value)), static_cast<Opcode>(value));
            }
        }
        return map;
    }();
    return names;
}

/** Reads the words of one line. */
class LineReader
{
  public:
    explicit LineReader(const std::string& line) : m_words{line} {}

    /** The next word; "" at the end. */
    std::string Word()
    {
        std::string word;
        m_words >> word;
        return word;
    }

    /** Whether a packet of a reliable connection was read; its errors are in IsOk. */
    bool ReadHead(Packet& packet)
    {
        std::string number = Word();
        std::string time = Word();
        m_path = Word();
        const std::string service = Word();
        if (service != "RC")
        {
            return false;
        }
        packet.number = static_cast<uint32_t>(std::stoul(number));
        packet.time = std::stod(time);
        const auto opcode = OpcodesByName().find(Word());
        m_isOk = opcode != OpcodesByName().end();
        packet.opcode = m_isOk ? opcode->second : packet.opcode;
        return true;
    }

    void ReadFields(Packet& packet)
    {
        for (std::string word = Word(); !word.empty() && m_isOk; word = Word())
        {
            ReadField(word, packet);
        }
    }

    const std::string& GetPath() const
    {
        return m_path;
    }

    bool IsOk() const
    {
        return m_isOk;
    }

    /** How many packets the line stands for. */
    uint32_t GetRepeats() const
    {
        return m_repeats;
    }

  private:
    void ReadField(const std::string& word, Packet& packet)
    {
        const std::size_t equals = word.find('=');
        if (equals != std::string::npos)
        {
            ReadValue(word.substr(0, equals), word.substr(equals + 1), packet);
        }
        else if (word == "ACK" || word == "RNR_NAK" || word == "NAK")
        {
            ReadSyndrome(word, packet);
        }
        else if (word == "...")
        {
            m_repeats = static_cast<uint32_t>(std::stoul(Word().substr(1)));
            m_words.str({});
        }
        else if (word.size() == 3 && word.find_first_not_of("AS-") == std::string::npos)
        {
            packet.ackRequest = word[0] == 'A';
            packet.isSolicited = word[1] == 'S';
        }
        else
        {
            m_isOk = word == "RETH" || word == "ATOMIC" || word == "AETH" || word == "IETH";
        }
    }

    void ReadSyndrome(const std::string& type, Packet& packet)
    {
        if (type == "NAK")
        {
            const auto name = std::find(NAK_NAMES.begin(), NAK_NAMES.end(), Word());
            m_isOk = name != NAK_NAMES.end();
            packet.aeth.syndrome =
                static_cast<uint8_t>(SYNDROME_TYPE_NAK + (name - NAK_NAMES.begin()));
            return;
        }
        packet.aeth.syndrome = type == "ACK" ? SYNDROME_TYPE_ACK : SYNDROME_TYPE_RNR;
    }

    void ReadValue(const std::string& key, const std::string& value, Packet& packet)
    {
        const bool isHex = key == "qp" || key == "psn";
        uint64_t number = 0;
        if (key != "icrc")
        {
            std::size_t used = 0;
            number = std::stoull(value, &used, isHex ? 16 : 0);
            m_isOk = used == value.size();
        }
        if (key == "qp")
        {
            packet.destinationQp = static_cast<uint32_t>(number);
        }
        else if (key == "psn")
        {
            packet.psn = Psn{number};
        }
        else if (key == "icrc")
        {
            packet.isDamaged = value == "BAD";
        }
        else if (!ReadSize(key, static_cast<uint32_t>(number), packet))
        {
            ReadHeaderValue(key, number, packet);
        }
    }

    static bool ReadSize(const std::string& key, uint32_t number, Packet& packet)
    {
        const std::map<std::string, uint32_t*> fields{{"pad", &packet.padBytes},
                                                      {"plen", &packet.payloadBytes},
                                                      {"len", &packet.reth.dmaLength},
                                                      {"msn", &packet.aeth.msn},
                                                      {"IMM", &packet.immediate}};
        const auto field = fields.find(key);
        if (field == fields.end())
        {
            return false;
        }
        *field->second = number;
        return true;
    }

    void ReadHeaderValue(const std::string& key, uint64_t number, Packet& packet)
    {
        const OpcodeInfo& info = GetOpcodeInfo(packet.opcode);
        if (key == "va")
        {
            (info.Has(HEADER_RETH) ? packet.reth.virtualAddress : packet.atomic.virtualAddress) =
                number;
        }
        else if (key == "rkey")
        {
            const auto rkey = static_cast<uint32_t>(number);
            (info.Has(HEADER_RETH)         ? packet.reth.rkey
             : info.Has(HEADER_ATOMIC_ETH) ? packet.atomic.rkey
                                           : packet.immediate) = rkey;
        }
        else if (key == "credits" || key == "timer")
        {
            packet.aeth.syndrome |= static_cast<uint8_t>(number);
        }
        else if (key == "swap/add" || key == "cmp")
        {
            (key == "cmp" ? packet.atomic.compare : packet.atomic.swapOrAdd) = number;
        }
        else if (key == "orig")
        {
            packet.atomicOriginal = number;
        }
        else
        {
            m_isOk = false;
        }
    }

    std::istringstream m_words;
    std::string m_path;
    bool m_isOk{true};
    uint32_t m_repeats{1};
};

Diagnostic
NotUnderstood(const std::string& file, uint32_t line, const std::string& text)
{
    return {.file = file,
            .line = line,
            .key = "",
            .message = "not a line of decoded text",
            .got = text,
            .expected = "a packet of a reliable connection, whole",
            .nearest = "",
            .knownNames = {}};
}

} // namespace

Expected<Packets>
ReadDecoded(std::istream& text, const std::string& file)
{
    Packets packets;
    std::string line;
    for (uint32_t number = 1; std::getline(text, line); ++number)
    {
        LineReader reader{line};
        Packet packet;
        try
        {
            if (!reader.ReadHead(packet))
            {
                continue;
            }
            reader.ReadFields(packet);
        }
        catch (const std::logic_error&) // a number that is none
        {
            return NotUnderstood(file, number, line);
        }
        if (!reader.IsOk())
        {
            return NotUnderstood(file, number, line);
        }
        const std::string& path = reader.GetPath();
        const std::size_t arrow = path.find('>');
        packet.sender = path.substr(0, arrow) < path.substr(arrow + 1) ? 0 : 1;
        for (uint32_t n = 0; n < reader.GetRepeats(); ++n)
        {
            packets.push_back(packet);
            packet.psn = packet.psn.Plus(1);
            ++packet.number;
        }
    }
    return packets;
}

} // namespace ns3::rdma
