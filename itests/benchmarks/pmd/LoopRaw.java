package io.manafold.rdma.internal.device;

import io.manafold.api.device.PciFunction;
import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.FunctionMemory;
import io.manafold.memory.MemoryBorrower;
import java.util.List;

/** The RDMA driver on the Ethernet device of a function as the framework would have it, without the framework. */
public final class LoopRaw implements AutoCloseable {
    private final FunctionMemory memory;
    private final EthernetSession ethernet;
    private final RawDevice device;
    private final List<Port> ports;

    public LoopRaw(String name, PciFunction function) {
        memory = new FunctionMemory(name, function.dma());
        MemoryBorrower channel = memory.borrower("ethernet");
        ethernet = EthernetSession.open(function, channel.whole(), ChannelLimits.USUAL, (type, data) -> { });
        ports = ethernet.vports().stream().map(vport -> (Port) new IdlePort(vport.mac())).toList();
        // no network device has a port
        device = new RawDevice("mana.eth.0", "manae_0", ethernet, memory.borrower("mana.eth.0"), ports,
                (port, who) -> () -> { });
    }

    public RdmaDevice open() {
        return device.open();
    }

    /** @param port from 1 */
    public MacAddress mac(int port) {
        return ports.get(port - 1).mac();
    }

    /** Everything has come home. */
    @Override
    public void close() {
        device.close();
        ethernet.close();
        memory.close();
    }

    /** A port whose network device is down. */
    private record IdlePort(MacAddress mac) implements Port {
        @Override
        public String name() {
            return "mana0";
        }

        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public int mtu() {
            return 9000;
        }

        @Override
        public long speed() {
            return 0;
        }
    }
}
