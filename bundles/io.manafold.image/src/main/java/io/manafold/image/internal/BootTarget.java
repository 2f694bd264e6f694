package io.manafold.image.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Lease;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.inet.PingSummary;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Refusal;
import java.util.Optional;
import java.util.OptionalDouble;

/** Where a booted image answers: the address that it was given, or the one of its link. */
final class BootTarget {
    private static final long BETWEEN_MILLIS = 100;

    private final BootNetwork network;
    private final MacAddress mac;

    BootTarget(BootNetwork network, Adapter adapter) {
        this.network = network;
        this.mac = adapter.ports().getFirst().mac();
    }

    Optional<Lease> lease() {
        return network.host().leases().stream().filter(one -> one.mac().equals(mac)).findFirst();
    }

    IpAddress address() {
        return lease().map(Lease::address).orElseGet(this::linkLocal);
    }

    /** As it follows from the MAC address. */
    IpAddress linkLocal() {
        long bits = mac.value();
        return IpAddress.ipv6(0xfe80L << 48, (bits >>> 24 ^ 0x02_0000) << 40 | 0xff_fe00_0000L | bits & 0xff_ffff);
    }

    /** How long an answer to one of some pings took, in milliseconds; empty if none came. */
    OptionalDouble ping(BootSteps steps, int tries) throws InterruptedException {
        for (int i = 0; i < tries && steps.isOn(); i++) {
            // the address may be taken a moment after it was given
            PingPlan plan = new PingPlan(address(), null, 1, 1_000_000L, 2_000_000_000L, 56, 64);
            try (Ping ping = network.host().ping(plan)) {
                while (ping.next() != null) {
                    continue;
                }
                PingSummary summary = ping.summary();
                if (summary.received() > 0) {
                    return OptionalDouble.of(summary.averageNanos() / 1e6);
                }
            } catch (Refusal away) {
                Thread.sleep(BETWEEN_MILLIS);
            }
        }
        return OptionalDouble.empty();
    }
}
