package org.example.embedder;

import io.manafold.api.net.NetDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Starts a framework with Manafold's network devices in it, plugs an adapter with two ports into a switch, and moves a
 * packet from one of its devices to the other.
 */
public final class Main {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Main() {
    }

    /** The repository folder and the version in it are the arguments. */
    public static void main(String... arguments) throws Exception {
        List<Path> bundles = FeatureFile.bundles(Path.of(arguments[0]), arguments[1], "ethernet");
        try (Platform platform = new Platform(bundles, Files.createTempDirectory("first-embedder"))) {
            describe(platform).forEach(System.out::println);
        }
    }

    /** Makes the devices and says what they are and did. */
    static List<String> describe(Platform platform) throws Exception {
        platform.configure("io.manafold.adapter", "one", Map.of("ports", 2));
        platform.configure("io.manafold.link", "net", Map.of("ports", new String[] {"one/1", "one/2"}));
        NetDevice first = up(platform.service(NetDevice.class, "(name=mana0)"));
        NetDevice second = up(platform.service(NetDevice.class, "(name=mana1)"));
        return List.of(link(first), link(second), OnePacket.move(first, second, "a packet from " + first.name() + " to "
                + second.name()));
    }

    private static NetDevice up(NetDevice device) throws InterruptedException {
        device.setUp(true);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!device.hasCarrier()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(device.name() + " has no link; is its port among those of a link?");
            }
            Thread.sleep(10);
        }
        return device;
    }

    private static String link(NetDevice device) {
        return "%s: %s port %d, %s, link up, %d Mbit/s, mtu %d".formatted(device.name(), device.address(),
                device.port(), device.mac(), device.speed() / 1_000_000, device.mtu());
    }
}
