package io.manafold.commands.shaper.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.ShaperOperation;
import io.manafold.api.shaper.ShaperSockets;
import io.manafold.api.shaper.Shapers;
import io.manafold.shell.FileNames;
import io.manafold.shell.Missing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Where shapers are: a name that is a device of the platform means that one, else the host's; a socket leads elsewhere.
 */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.shaper.Shapers)")
@Component(service = Places.class)
public final class Places {
    private static final String SERVICE = "service for shapers";
    private static final String BUNDLE = "io.manafold.netshaper";

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Shapers> shapers = List.of();
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<NetDevice> devices = List.of();
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile ShaperSockets sockets;

    /** What a network device of this platform has sent, or {@code null} if there is none of that name. */
    DeviceTraffic traffic(String device) {
        return devices.stream().filter(one -> one.name().equals(device)).findFirst().map(DeviceTraffic::of)
                .orElse(null);
    }

    private List<Shapers> all() {
        return shapers.stream().sorted(Comparator.comparing(one -> !one.place().equals("platform"))).toList();
    }

    /** Those who have a device of that name. */
    Shapers of(String device) {
        check();
        return all().stream().filter(place -> place.has(device)).findFirst().orElseThrow(() -> {
            List<String> known = devices();
            return new Refusal(Errno.ENODEV, "There is no network device '" + device + "', neither here nor on the host"
                    + Missing.instead(device, known));
        });
    }

    /** The family's words; none while no bundle knows it. */
    Vocabulary vocabulary() {
        return new Vocabulary(all().stream().findFirst().<List<? extends ShaperOperation>>map(Shapers::operations)
                .orElse(List.of()));
    }

    /** Refuses if no bundle knows of shapers. */
    void check() {
        if (shapers.isEmpty()) {
            throw Missing.service(SERVICE, BUNDLE);
        }
    }

    /** The server that answers behind a socket. */
    Shapers at(String socket) {
        return Missing.required(sockets, SERVICE, BUNDLE).at(FileNames.path(socket));
    }

    /** Names of all devices, those of the platform first. */
    List<String> devices() {
        List<String> names = new ArrayList<>();
        all().forEach(place -> place.devices().stream().filter(name -> !names.contains(name)).forEach(names::add));
        return names;
    }
}
