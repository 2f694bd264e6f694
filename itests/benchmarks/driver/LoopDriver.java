package io.manafold.ethernet.internal;

import io.manafold.agent.Agent;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Removal;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.NetDevice;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The Ethernet driver on a function as the framework would have it, without the framework. */
public final class LoopDriver implements AutoCloseable {
    private final FunctionDrive drive;

    /** @param host whose thread all devices share */
    public LoopDriver(PciFunction function, Agent host) {
        drive = FunctionDrive.begin(function, new Surroundings(new Devices(_ -> false, _ -> false, _ -> () -> { }),
                new Settings(), (address, port) -> Optional.empty(), part -> () -> { }, name -> 0, Patience.USUAL,
                (name, work) -> new Agent(host, work)));
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
}
