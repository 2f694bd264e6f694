package io.manafold.ethernet.internal.function;

import io.manafold.agent.Agent;
import io.manafold.api.device.Device;
import io.manafold.api.device.KeptCounters;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Removal;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.ReceiveMapping;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The Ethernet driver on a function as the framework would have it, without the framework. */
public final class LoopDriver implements AutoCloseable {
    private final FunctionDrive drive;

    /** @param host whose thread all devices share */
    public LoopDriver(PciFunction function, Agent host) {
        drive = FunctionDrive.begin(function, context(new Shared(host)));
    }

    private static DriverContext context(ServiceGateway services) {
        return new DriverContext(new Devices(services), new Settings(), new Counters(), services, Patience.USUAL,
                ReceiveMapping.ARENA, true);
    }

    public NetDevice device(int index) {
        return drive.offered().get(index);
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

    private static final class Settings implements SavedSettings {
        private final Map<String, Map<String, String>> all = new ConcurrentHashMap<>();

        @Override
        public Map<String, String> read(String subject) {
            return all.getOrDefault(subject, Map.of());
        }

        @Override
        public void write(String subject, Map<String, String> settings) {
            all.put(subject, Map.copyOf(settings));
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
