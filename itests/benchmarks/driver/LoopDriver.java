package io.manafold.ethernet.internal.function;

import io.manafold.agent.Agent;
import io.manafold.api.device.Device;
import io.manafold.api.device.KeptCounters;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Removal;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.gdma.Gid;
import io.manafold.memory.MemoryBorrower;
import io.manafold.testkit.MemorySettings;
import io.manafold.testkit.RdmaSession;
import java.util.Map;

/** The Ethernet driver on a function as the framework would have it, without the framework. */
public final class LoopDriver implements AutoCloseable {
    private static final int ADDRESS = 0x0a00_0001;

    private final FunctionDrive drive;

    /** @param host whose thread all devices share */
    public LoopDriver(PciFunction function, Agent host) {
        drive = FunctionDrive.begin(function, context(new Shared(host)));
    }

    private static DriverContext context(ServiceGateway services) {
        return new DriverContext(new Devices(services), new MemorySettings(), new Counters(), services, Timeouts.USUAL,
                ReceiveMapping.ARENA, true);
    }

    public NetDevice device(int index) {
        return drive.offered().get(index);
    }

    /** Takes the RDMA of the first port into use, with an address, and leaves it at that. */
    public AutoCloseable idleRdma() {
        MemoryBorrower memory = drive.memory().borrower("rdma");
        RdmaSession rdma = new RdmaSession(drive.session(), 0, memory.whole());
        rdma.add(Gid.ofIpv4(ADDRESS));
        return () -> {
            rdma.close();
            memory.close();
        };
    }

    /** Has everything come home. */
    @Override
    public void close() {
        drive.remove(Removal.UNBIND);
        if (drive.memory().pagesInUse() != 0) {
            throw new IllegalStateException(drive.memory().pagesInUse() + " pages are still in use");
        }
    }

    /** No other services are there, and all devices share a thread. */
    private static final class Shared extends Alone {
        private final Agent host;

        Shared(Agent host) {
            this.host = host;
        }

        @Override
        public Agent agent(String name, Agent.Work work) {
            return new Agent(host, work);
        }
    }

    /** Nothing comes after this driver. */
    private static final class Counters implements KeptCounters {
        @Override
        public Map<String, long[]> read(Device device, String subject) {
            return Map.of();
        }

        @Override
        public void keep(Device device, String subject, Map<String, long[]> counters) {
        }
    }
}
