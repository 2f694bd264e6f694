package io.manafold.itests.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.bundles.Footprint;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.DriverJar;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Messages or packets from one RDMA device to another for as long as both are there, and again when they come back. A
 * thread of its own.
 */
public final class Exchanges implements Runnable, AutoCloseable {
    private static final long AFTER_ONE = 1000;

    private final BundleContext context;
    private final MemorySource memory;
    private final Talk.Beginning beginning;
    private final String names;
    private final String[] addresses;
    private final Thread thread = Thread.ofPlatform().name("verbs").unstarted(this);
    private final Score score = new Score();
    private final AtomicReference<Throwable> mistake = new AtomicReference<>();
    private volatile boolean ending;

    private Exchanges(Platform platform, Talk.Beginning beginning, String names, String... addresses) {
        this.beginning = beginning;
        this.names = names;
        context = platform.context();
        memory = platform.service(MemorySource.class);
        this.addresses = addresses;
        thread.start();
    }

    /**
     * Messages of a reliable connection.
     *
     * @param addresses of the two functions
     */
    public static Exchanges ofMessages(Platform platform, String... addresses) {
        return new Exchanges(platform, Conversation::new, "mana_*", addresses);
    }

    /** Raw packets between the first ports. */
    public static Exchanges ofPackets(Platform platform, String... addresses) {
        return new Exchanges(platform, Packets::new, "manae_*", addresses);
    }

    @Override
    public void run() {
        try {
            while (!ending) {
                ServiceReference<RdmaDevice> from = find(addresses[0]);
                ServiceReference<RdmaDevice> to = find(addresses[1]);
                if (from == null || to == null) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                } else {
                    exchange(from, to);
                }
            }
        } catch (Throwable wrong) {
            mistake.set(wrong);
        }
    }

    private void exchange(ServiceReference<RdmaDevice> from, ServiceReference<RdmaDevice> to) {
        RdmaDevice left = context.getService(from);
        RdmaDevice right = context.getService(to);
        try {
            if (left != null && right != null) {
                try (Talk talk = beginning.begin(left, right, memory, score)) {
                    talk.run(() -> ending);
                }
            }
        } catch (Refusal refused) {
            if (refused.errno() != Errno.ENODEV) {
                throw refused;
            }
            score.gone.incrementAndGet();
        } finally {
            unget(from, left);
            unget(to, right);
        }
    }

    private void unget(ServiceReference<RdmaDevice> reference, RdmaDevice device) {
        if (device != null) {
            context.ungetService(reference);
        }
    }

    private ServiceReference<RdmaDevice> find(String address) {
        try {
            return context.getServiceReferences(RdmaDevice.class, "(&(address=" + address + ")(name=" + names + "))")
                    .stream().findFirst().orElse(null);
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Waits until so many more have arrived. */
    public void arrive(String when, long count) {
        long before = score.arrived();
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (score.arrived() - before < count) {
            assertThat(mistake.get()).as("what went wrong %s", when).isNull();
            assertThat(System.nanoTime()).as("time for %d to arrive %s: %s", count, when, score).isLessThan(giveUp);
            Thread.yield();
        }
    }

    /**
     * Replaces a driver again and again; each time devices are seen to go, and what is sent arrives between those that
     * follow.
     */
    public void replace(Bundle driver, String name, int times, Footprint footprint) throws BundleException,
            IOException {
        for (int i = 1; i <= times; i++) {
            footprint.watch(driver.adapt(BundleWiring.class).getClassLoader());
            long gone = score.gone();
            driver.update(DriverJar.version(name, "1." + i + ".0"));
            arrive("after replacement " + i + " of " + name, AFTER_ONE);
            assertThat(score.gone()).as("devices were seen to go").isGreaterThan(gone);
        }
    }

    public Score score() {
        return score;
    }

    /** What went wrong, or {@code null}. */
    public Throwable mistake() {
        return mistake.get();
    }

    @Override
    public void close() throws InterruptedException {
        ending = true;
        thread.join(TimeUnit.SECONDS.toMillis(60));
        if (thread.isAlive()) {
            throw new AssertionError("the exchange does not end: " + score);
        }
    }
}
