package io.manafold.commands.net.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PagePlanner;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Candidate;
import io.manafold.shell.Completer;
import io.manafold.shell.Nearest;
import java.util.Comparator;
import java.util.List;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Network devices and what stands on them, as far as they are there. Commands outlive them all. */
@Component(service = Network.class)
public final class Network {
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<NetDevice> devices = List.of();

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile PagePlanner planner;

    /** All devices by number. */
    List<NetDevice> devices() {
        return devices.stream().sorted(Comparator.comparingInt(NetDevice::index)).toList();
    }

    NetDevice device(String name) {
        return devices.stream().filter(device -> device.name().equals(name)).findFirst().orElseThrow(() -> {
            List<String> known = names();
            return new Refusal(Errno.ENODEV, "There is no network device '" + name + "'" + (known.isEmpty()
                    ? ", nor any other: 'devices' shows what has a driver and what has none."
                    : Nearest.to(name, known).map(near -> "; did you mean '" + near + "'?")
                            .orElse("; there is " + String.join(", ", known) + ".")));
        });
    }

    List<String> names() {
        return devices().stream().map(NetDevice::name).toList();
    }

    PagePlanner planner() {
        return present(planner, "Nobody on this platform reckons how buffers lie in pages", "io.manafold.ethernet");
    }

    private static <T> T present(T service, String sentence, String bundle) {
        if (service == null) {
            throw new Refusal(Errno.EOPNOTSUPP, sentence + ": the bundle " + bundle
                    + " is missing or stopped. 'lb' lists the bundles, 'start' starts one.");
        }
        return service;
    }

    /** Devices by name. */
    Completer completeDevices() {
        return typed -> devices().stream()
                .map(device -> new Candidate(device.name(), device.summary(), true)).toList();
    }
}
