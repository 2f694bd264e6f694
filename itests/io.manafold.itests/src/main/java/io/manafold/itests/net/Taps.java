package io.manafold.itests.net;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.Hosts;
import io.manafold.itests.bundles.Platform;
import io.manafold.testkit.Namespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Ports of the adapter {@code left} that are handed to the kernel of a network namespace, by taps. */
public final class Taps {
    private static final String NUMBER = String.valueOf(ProcessHandle.current().pid() % 1_000_000);

    private final Drivers drivers;
    private final Hosts hosts;

    /** The bundle {@code inet} is there. */
    public Taps(Platform platform, Drivers drivers) {
        this.drivers = drivers;
        hosts = platform.service(Hosts.class);
    }

    /** Taps and network namespaces need root. */
    public static boolean areAllowed() throws IOException, InterruptedException {
        return Namespace.isAllowed() && Files.exists(Path.of("/dev/net/tun"));
    }

    /** The host above a port. */
    public Host host(String address, int port) throws Exception {
        String device = drivers.network(address, port).name();
        Wire.await("a host is above " + device, () -> hosts.find(device).flatMap(Host::netDevice).isPresent());
        return hosts.find(device).orElseThrow();
    }

    /** Gives a port to the kernel of a namespace, with an address there. */
    public void give(Namespace space, int port, String address) throws Exception {
        String tap = "mr" + port + NUMBER;
        host(Drivers.LEFT, port).setTap(tap);
        // its host gives it the device's address, which it can no more once it is elsewhere
        String mac = Drivers.mac(Drivers.LEFT, port).toString();
        Wire.await("the tap is as its device is", () -> shown(tap).contains(mac) && shown(tap).contains("UP"));
        space.take(tap, address);
    }

    private static String shown(String tap) {
        try {
            return Namespace.run("ip", "link", "show", "dev", tap);
        } catch (IOException | InterruptedException wrong) {
            throw new AssertionError(wrong);
        }
    }
}
