package io.manafold.dropin.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.framework.startlevel.BundleStartLevel;

/** Threads that wait for start levels, and a framework that acts on them when the test says so. */
@Timeout(120)
class StartLevelsTest {
    private static final int OURS = 1;

    private final List<SynchronousBundleListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicReference<Bundle> marker = new AtomicReference<>();
    private final AtomicInteger uninstalled = new AtomicInteger();
    private final BundleContext context = Fakes.of(BundleContext.class, (_, method, arguments) -> {
        switch (method.getName()) {
            case "getBundle" -> {
                return bundle("ours", OURS);
            }
            case "installBundle" -> {
                // of a place there is one bundle
                marker.compareAndSet(null, bundle((String) arguments[0], OURS));
                return marker.get();
            }
            case "addBundleListener" -> listeners.add((SynchronousBundleListener) arguments[0]);
            case "removeBundleListener" -> listeners.remove(arguments[0]);
            default -> {
                // the rest is not looked at
            }
        }
        return null;
    });
    private final StartLevels levels = new StartLevels(context, Duration.ofSeconds(60), new CompletableFuture<>());

    private Bundle bundle(String location, int startLevel) {
        AtomicInteger level = new AtomicInteger(startLevel);
        BundleStartLevel itsLevel = Fakes.of(BundleStartLevel.class, (_, method, arguments) -> {
            if (method.getName().equals("getStartLevel")) {
                return level.get();
            }
            level.set((int) arguments[0]);
            return null;
        });
        return Fakes.of(Bundle.class, (self, method, _) -> switch (method.getName()) {
            case "adapt" -> itsLevel;
            case "getLocation" -> location;
            case "uninstall" -> {
                if (!marker.compareAndSet((Bundle) self, null)) {
                    throw new IllegalStateException("Bundle " + location + " has been uninstalled");
                }
                uninstalled.incrementAndGet();
                yield null;
            }
            default -> null;
        });
    }

    /** A dropped bundle that the framework has put on a higher level. */
    private void drop() {
        levels.adjust(bundle("drivers:a.jar", OURS + 4));
    }

    /** The framework has done what it was asked for so far. */
    private void act() {
        act(marker.get());
    }

    private void act(Bundle started) {
        BundleEvent event = new BundleEvent(BundleEvent.STARTED, started);
        listeners.forEach(listener -> listener.bundleChanged(event));
    }

    /** A thread that waits for start levels. */
    private final class Waiting {
        private final CompletableFuture<Void> over = new CompletableFuture<>();
        private final Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                levels.settle();
                over.complete(null);
            } catch (RuntimeException | Error failed) {
                over.completeExceptionally(failed);
            }
        });

        void isBegun() throws InterruptedException {
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                assertThat(over).as("a wait for start levels").isNotDone();
                Thread.sleep(1);
            }
        }

        void ends() throws InterruptedException, ExecutionException, TimeoutException {
            over.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void oneAfterTheOtherWaitsWithAMarkerOfItsOwn() throws Exception {
        drop();
        Waiting first = new Waiting();
        first.isBegun();
        drop();
        Waiting second = new Waiting();
        second.isBegun();
        Bundle firstMarker = marker.get();
        act();
        first.ends();
        while (marker.get() == null || marker.get() == firstMarker) {
            assertThat(second.over).isNotDone();
            Thread.sleep(1);
        }
        second.isBegun();
        act();
        second.ends();
        assertThat(uninstalled).hasValue(2);
    }

    @Test
    void whatAnotherThreadWaitsForIsWaitedForTogether() throws Exception {
        drop();
        drop();
        Waiting first = new Waiting();
        first.isBegun();
        Waiting second = new Waiting();
        second.isBegun();
        act();
        first.ends();
        second.ends();
        assertThat(uninstalled).hasValue(1);
    }

    @Test
    void aMarkerThatIsUninstalledByHandIsNoFaultOfTheBundleThatIsToStart() throws Exception {
        drop();
        Waiting first = new Waiting();
        first.isBegun();
        marker.get().uninstall();
        act(bundle(StartLevels.MARKER, OURS));
        first.ends();
        assertThat(uninstalled).hasValue(1);
    }

    @Test
    void nothingIsWaitedForWithoutAHigherLevel() throws Exception {
        levels.adjust(bundle("drivers:a.jar", OURS));
        new Waiting().ends();
        assertThat(uninstalled).hasValue(0);
    }
}
