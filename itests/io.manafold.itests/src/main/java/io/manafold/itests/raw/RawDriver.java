package io.manafold.itests.raw;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Binding;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.Probe;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.NetDevices;
import io.manafold.api.net.PortClaims;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.itests.script.Exchange;
import io.manafold.memory.LentBlock;
import io.manafold.memory.MemoryBorrower;
import io.manafold.testkit.RawPort;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/**
 * A driver beside the Ethernet driver: it claims port 2 and exchanges frames with port 1 over queues and memory of its
 * own.
 */
final class RawDriver implements Driver, Exchange {
    private static final int PORT = 2;
    private static final int ENTRIES = 128;
    private static final int COMPLETIONS = 96;

    private final BundleContext context;
    private final AtomicLong returned = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();

    RawDriver(BundleContext context) {
        this.context = context;
    }

    @Override
    public String name() {
        return "raw";
    }

    @Override
    public List<DeviceMatch> idTable() {
        return List.of(new DeviceMatch.Auxiliary("mana.eth"));
    }

    @Override
    public Binding probe(Probe probe) {
        AuxiliaryDevice part = probe.device(AuxiliaryDevice.class);
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            List<NetDevice> devices = part.lend(NetDevices.class).devices();
            devices.get(PORT - 1).setUp(false);
            open.push(part.lend(PortClaims.class).claim(PORT, part.id()));
            MemoryBlock block = memory().make("frames of " + part.id(), 2 * ENTRIES * RawPort.SLOT);
            open.push(block);
            LentBlock lent = part.lend(MemoryBorrower.class).lend(block);
            open.push(lent);
            RawPort port = new RawPort(part.lend(EthernetSession.class), PORT - 1, lent.piece(), ENTRIES, COMPLETIONS,
                    1);
            open.push(port);
            RawTraffic traffic = new RawTraffic(port, devices.getFirst().mac(), returned, wrong, lost);
            open.push(traffic);
            traffic.start();
        } catch (RuntimeException refused) {
            end(open);
            throw refused;
        }
        return why -> end(open);
    }

    private MemorySource memory() {
        ServiceReference<MemorySource> found = context.getServiceReference(MemorySource.class);
        return context.getService(found);
    }

    private static void end(Deque<AutoCloseable> open) {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    @Override
    public long returned() {
        return returned.get();
    }

    @Override
    public long wrong() {
        return wrong.get();
    }

    @Override
    public long lost() {
        return lost.get();
    }
}
