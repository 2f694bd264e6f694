package io.manafold.itests.driver;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Binding;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.Offer;
import io.manafold.api.device.Probe;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.script.Script;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** Drives what its manifest says, offers the auxiliary devices it says, and keeps a thread busy if it says so. */
final class ScriptedDriver implements Driver {
    private final BundleContext context;
    private final String name;
    private final String label;

    ScriptedDriver(BundleContext context) {
        this.context = context;
        this.name = header("Test-Driver");
        this.label = name + " " + context.getBundle().getVersion();
    }

    private String header(String key) {
        return context.getBundle().getHeaders().get(key);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<DeviceMatch> idTable() {
        List<DeviceMatch> table = new ArrayList<>();
        for (String entry : header("Test-Drives").split(",")) {
            String[] ids = entry.split(":");
            table.add(ids.length == 1 ? new DeviceMatch.Auxiliary(entry)
                    : new DeviceMatch.Pci(Integer.parseInt(ids[0], 16), Integer.parseInt(ids[1], 16)));
        }
        return table;
    }

    @Override
    public Binding probe(Probe probe) throws Exception {
        Script script = DriverActivator.script(context);
        if (script != null) {
            script.probe(label, probe);
        }
        Device device = probe.device();
        List<ServiceRegistration<?>> registrations = new ArrayList<>();
        AtomicBoolean gone = new AtomicBoolean();
        if (header("Test-Offers") != null) {
            for (String part : header("Test-Offers").split(",")) {
                registrations.add(context.registerService(new String[] {Device.class.getName(),
                        AuxiliaryDevice.class.getName()}, new Part(part, device.id(), gone), new Hashtable<>()));
            }
        }
        registrations.add(context.registerService(Offer.class, new Named(name + "@" + device.id(), device.id()),
                new Hashtable<>()));
        Thread busy = device instanceof AuxiliaryDevice part && header("Test-Busy") != null ? busy(part, script) : null;
        return why -> {
            if (busy != null) {
                busy.interrupt();
                busy.join();
            }
            if (script != null) {
                script.remove(label, device.id(), why);
            }
            gone.set(true);
            registrations.forEach(ServiceRegistration::unregister);
        };
    }

    /** Uses what the parent lends without a pause, as a dependent under traffic would. */
    private Thread busy(AuxiliaryDevice part, Script script) {
        LongSupplier counter = part.lend(LongSupplier.class);
        Thread thread = new Thread(() -> {
            try {
                while (!Thread.interrupted()) {
                    counter.getAsLong();
                    Thread.onSpinWait();
                }
            } catch (IllegalStateException stale) {
                if (script != null) {
                    script.broken(label + " on " + part.id() + ": " + stale.getMessage());
                }
            }
        }, "busy " + part.id());
        thread.start();
        return thread;
    }

    private record Named(String name, String offeredBy) implements Offer {
        @Override
        public String summary() {
            return "up";
        }
    }

    /** Lends a counter for as long as its parent is driven. */
    private record Part(String name, String parent, AtomicBoolean gone) implements AuxiliaryDevice {
        @Override
        public int number() {
            return 0;
        }

        @Override
        public <T> T lend(Class<T> type) {
            if (gone.get()) {
                throw new Refusal(Errno.ENODEV,
                        id() + " is stale: its parent has been removed");
            }
            LongSupplier counter = () -> {
                if (gone.get()) {
                    throw new IllegalStateException("used after the parent was removed");
                }
                return System.nanoTime();
            };
            return type.cast(counter);
        }
    }
}
