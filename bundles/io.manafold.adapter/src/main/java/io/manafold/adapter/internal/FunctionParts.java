package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.rdma.RdmaEngine;
import io.manafold.gdma.Command;
import io.manafold.memory.DmaTable;
import java.util.ArrayList;
import java.util.List;

/**
 * What a function is made of, from its arrival to its end.
 *
 * @param ports in the order of their numbers, which count from 1
 * @param budget of the memory that goes into what its driver has it make
 * @param clients the devices of its list
 * @param engines RDMA at the first ports, or none
 */
record FunctionParts(AdapterSettings settings, DmaTable memory, VectorTable vectors, List<EthernetPort> ports,
        RejectionLog rejections, Faults faults, ObjectBudget.Share budget, List<Client.Maker> clients,
        List<RdmaEngine> engines) {

    FunctionParts(AdapterSettings settings, DmaTable memory, VectorTable vectors, List<EthernetPort> ports,
            RejectionLog rejections, Faults faults) {
        this(settings, memory, vectors, ports, rejections, faults, ObjectBudget.OF_PLATFORM.share(), devices(settings));
    }

    FunctionParts(AdapterSettings settings, DmaTable memory, VectorTable vectors, List<EthernetPort> ports,
            RejectionLog rejections, Faults faults, ObjectBudget.Share budget, List<Client.Maker> clients) {
        this(settings, memory, vectors, ports, rejections, faults, budget, clients,
                engines(settings, memory, ports, rejections));
    }

    /** The devices of the list. */
    static List<Client.Maker> devices(AdapterSettings settings) {
        return settings.rdma() == RdmaPorts.OFF || !settings.firmware().knows(Command.CREATE_RDMA_ADAPTER) 
                ? List.of(EthernetClient::new) : List.of(EthernetClient::new, RdmaClient::new);
    }

    private static List<RdmaEngine> engines(AdapterSettings settings, DmaTable memory, List<EthernetPort> ports,
            RejectionLog rejections) {
        List<RdmaEngine> engines = new ArrayList<>();
        for (EthernetPort port : ports.subList(0, settings.rdma().of(ports.size()))) {
            RdmaEngine engine = new RdmaEngine(port, memory, rejections, settings.rdmaTimeout());
            port.carry(engine);
            engines.add(engine);
        }
        return List.copyOf(engines);
    }

    Firmware firmware() {
        return settings.firmware();
    }
}
