// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"
#include "scenario/scenario.h"
#include "trace/csv-table.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Writes pfc.csv while a run goes on: a row for each priority of a PFC frame, where it arrives.
 *
 * On request the same in the columns of the HPCC simulator: time_ns node_id node_type ifIndex type,
 * with node_type 0 for a host and 1 for a switch, ifIndex from 1, type 1 for pause, 0 for resume.
 *
 * @spec Li et al., SIGCOMM 2019, the authors' simulator, its output PFC_OUTPUT_FILE
 */
class PfcOutput
{
  public:
    /**
     * Begins to listen to all devices.
     *
     * @param fabric outlives the output
     * @param file   receives the header at once
     */
    PfcOutput(const Fabric& fabric, const Scenario& scenario, ResultFile& file);

    /** Writes a file in the columns of the HPCC simulator too. */
    void WriteHpccInto(ResultFile& file)
    {
        m_hpcc = &file;
    }

  private:
    /** The port of a device at which PFC frames may arrive. */
    struct Place
    {
        std::string node;
        uint32_t nodeNumber{0};
        bool isSwitch{false};
        uint16_t port{0};
        std::string sender;
    };

    Place MakePlace(const Scenario& scenario, const FabricLink& link, std::size_t direction) const;
    /** @param places by the device's number of the port */
    void Listen(Object& device, std::vector<Place> places);
    void Write(const Place& place, uint8_t priority, uint16_t quanta, SimTime now);

    CsvTable m_table;
    ResultFile* m_hpcc{nullptr};
};

} // namespace ns3::rdma
