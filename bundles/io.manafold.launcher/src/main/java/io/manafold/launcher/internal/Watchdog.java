package io.manafold.launcher.internal;

import io.manafold.launcher.internal.words.Status;
import java.time.Duration;
import java.util.Locale;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that an end that was asked for comes, whatever a bundle does that will not stop, and says what held it up.
 */
final class Watchdog {
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    /** An end takes a tenth of a second; a service manager, or a user who pressed Ctrl-C, should not wait for more. */
    private static final Duration LIMIT = Duration.ofMillis(2500);
    /** For an end that goes on, but slowly. */
    private static final Duration MOST = Duration.ofSeconds(20);
    private static final long LOOK_MILLIS = 50;

    private final BundleContext context;
    private final ExitRequest ending;
    private final StandardStreams streams;
    private final Runnable cleaning;

    Watchdog(BundleContext context, ExitRequest ending, StandardStreams streams, Runnable cleaning) {
        this.context = context;
        this.ending = ending;
        this.streams = streams;
        this.cleaning = cleaning;
    }

    void start() {
        Thread.ofPlatform().daemon().name("watchdog").start(this::watch);
    }

    private void watch() {
        Bundle system = context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION);
        try {
            int status = ending.await();
            Bundle[] bundles = bundles(system);
            StallDetector standing = new StallDetector(LIMIT, MOST, System.nanoTime(), left(bundles));
            while (!standing.isStuck(System.nanoTime(), left(bundles))) {
                Thread.sleep(LOOK_MILLIS);
            }
            end(status == Status.DONE ? Status.FAILED : status, standing.taken(System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Bundle[] bundles(Bundle system) {
        try {
            BundleContext all = system.getBundleContext();
            return all == null ? new Bundle[0] : all.getBundles();
        } catch (IllegalStateException ended) {
            return new Bundle[0];
        }
    }

    /** What is there still to be stopped: bundles, and services that they offer. */
    private static int left(Bundle[] bundles) {
        int left = 0;
        for (Bundle bundle : bundles) {
            try {
                ServiceReference<?>[] services = bundle.getRegisteredServices();
                left += (bundle.getState() == Bundle.ACTIVE ? 1 : 0) + (services == null ? 0 : services.length);
            } catch (IllegalStateException uninstalled) {
                // and so stopped
            }
        }
        return left;
    }

    private void end(int status, Duration taken) {
        try {
            StuckThreads stuck = StuckThreads.now();
            streams.say(String.format(Locale.ROOT,
                    "The platform did not stop within %.1f s%s; what still ran was given up.",
                    taken.toMillis() / 1000.0, stuck.sentence()));
            LOG.warn("The platform did not stop within {}: {}", taken, stuck.stacks());
            cleaning.run();
        } finally {
            Runtime.getRuntime().halt(status);
        }
    }
}
