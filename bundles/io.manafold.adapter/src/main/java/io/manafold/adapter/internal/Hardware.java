package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.memory.DmaTable;
import java.util.List;

/**
 * What a function is made of, from its arrival to its end.
 *
 * @param ports in the order of their numbers, which count from 1
 * @param budget of the memory that goes into what its driver has it make
 * @param clients the devices of its list
 */
record Hardware(AdapterSettings settings, DmaTable memory, VectorTable vectors, List<EthernetPort> ports,
        RejectionLog rejections, Faults faults, ObjectBudget.Share budget, List<Client.Maker> clients) {
    static final List<Client.Maker> DEVICES = List.of(EthernetClient::new);

    Hardware(AdapterSettings settings, DmaTable memory, VectorTable vectors, List<EthernetPort> ports,
            RejectionLog rejections, Faults faults) {
        this(settings, memory, vectors, ports, rejections, faults, ObjectBudget.OF_PLATFORM.share(), DEVICES);
    }

    Firmware firmware() {
        return settings.firmware();
    }
}
