package io.manafold.rdma.internal.device;

import io.manafold.api.net.PortClaims;
import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.Gid;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.QueryMaxResources;
import io.manafold.memory.MemoryBorrower;
import java.util.List;

/**
 * The Ethernet device of a function for those who send and receive raw packets, beside the driver of its network
 * devices.
 */
final class RawDevice extends PartDevice {
    private static final int RING = 1 << 20;
    private static final int DOMAINS = 0x6000;
    /** A completion tells lengths in 16 bits. */
    private static final int LONGEST = 0xffff;

    private final List<Port> ports;
    private final DeviceAttributes attributes;
    private final PortUses uses;

    /**
     * Asks nothing of the device, as the Linux driver.
     *
     * @param part the id of the auxiliary device
     * @param name what the device is called
     * @param ports of the function, in their order
     */
    RawDevice(String part, String name, EthernetSession session, MemoryBorrower memory, List<Port> ports,
            PortClaims claims) {
        super(part, name, session.client(), memory);
        this.ports = List.copyOf(ports);
        attributes = attributes(session);
        uses = new PortUses(this, session, claims);
    }

    /** Queue pairs are those of a port: what the function has for all of its ports is more than one can have. */
    private DeviceAttributes attributes(EthernetSession session) {
        QueryMaxResources.Result most = session.function().resources();
        int ofPort = session.vports().stream().mapToInt(vport -> Math.min(vport.sendQueues(), vport.receiveQueues()))
                .max().orElse(0);
        int requests = RING / WorkRequest.MAX_SEND;
        return new DeviceAttributes(session.function().pci().identity().vendor(), DeviceId.TYPE_ETHERNET, 0,
                ports.size(), DOMAINS, most.memoryKeys(), most.completionQueues(),
                Math.min(ofPort, Math.min(most.sendQueues(), most.receiveQueues())), requests,
                WorkRequest.MAX_SEND_PIECES, WorkRequest.MAX_RECEIVE_PIECES, requests, 0, 0, LONGEST);
    }

    @Override
    DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    List<Port> ports() {
        return ports;
    }

    @Override
    int mostGids() {
        return 0;
    }

    @Override
    List<Gid> gids(int port) {
        at(port);
        return List.of();
    }

    PortUses uses() {
        return uses;
    }

    @Override
    RawContext open() {
        return opened(new RawContext(this));
    }

    /** A completion queue has something. On the agent of a port. */
    void completion(int queue) {
        contexts().forEach(context -> ((RawContext) context).signal(queue));
    }

    @Override
    public void close() {
        end();
        RawTeardown teardown = new RawTeardown();
        contexts().forEach(context -> ((RawContext) context).end(teardown));
        teardown.leave();
        contexts().forEach(context -> context.tell(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0,
                gone().getMessage())));
        try {
            teardown.device(client());
        } finally {
            // only now the network devices may have their ports
            uses.close();
            teardown.common().memory(client());
            blocks().close();
        }
    }
}
