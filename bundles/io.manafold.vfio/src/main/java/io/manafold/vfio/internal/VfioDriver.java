package io.manafold.vfio.internal;

import io.manafold.api.device.Binding;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Probe;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.component.annotations.Component;

/** Drives a function by letting a virtual machine drive it. Lists no device: an override binds it. */
@Component(service = {Driver.class, VfioDriver.class}, immediate = true)
public final class VfioDriver implements Driver {
    static final String NAME = "vfio";

    private final Map<String, Export> wanted = new ConcurrentHashMap<>();
    private volatile Runnable onUnwanted = () -> { };

    /** Lets a function be driven for an export. */
    void lend(String function, Export export) {
        wanted.put(function, export);
    }

    /** Takes back what {@link #lend} allowed. */
    void withdraw(String function) {
        wanted.remove(function);
    }

    /** What is to be told when a function is offered that no export asks for. */
    void onUnwanted(Runnable told) {
        onUnwanted = told;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<DeviceMatch> idTable() {
        return List.of();
    }

    @Override
    public Binding probe(Probe probe) throws IOException {
        PciFunction function = probe.device(PciFunction.class);
        Export export = wanted.get(function.id());
        if (export == null) {
            onUnwanted.run();
            throw new Refusal(Errno.ENODEV, "no export lends " + function.id()
                    + "; name its adapter in the list 'exports' of a lab, and it is taken by itself");
        }
        return Lease.begin(function, export);
    }
}
