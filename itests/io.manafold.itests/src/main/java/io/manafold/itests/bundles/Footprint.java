package io.manafold.itests.bundles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;

/**
 * What a process holds that can pile up: threads, services, file descriptors, class loaders of bundles that are gone.
 */
public final class Footprint {
    private final BundleContext context;
    private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();

    public Footprint(BundleContext context) {
        this.context = context;
    }

    /** @param loader one that is about to be replaced */
    public void watch(ClassLoader loader) {
        loaders.add(new WeakReference<>(loader));
    }

    /**
     * One reading.
     *
     * @param loaders how many of the watched class loaders are still reachable
     */
    public record Figures(int threads, int services, int descriptors, int loaders) {
        /**
         * Whether nothing piles up. One class loader may stay: a thread's loop that was compiled with its classes holds
         * it until it is left.
         */
        public boolean noMoreThan(Figures other) {
            return threads <= other.threads && services <= other.services && descriptors <= other.descriptors
                    && loaders <= Math.max(1, other.loaders);
        }
    }

    /** The least of several readings, each after a collection, so that what is merely about to go does not count. */
    public Figures measure() throws InterruptedException {
        return least(figures -> figures.loaders == 0, Duration.ofSeconds(1));
    }

    /** Like {@link #measure}, and patient: a compiler or the framework may hold on to what was there a moment ago. */
    public Figures measureAgainst(Figures limit) throws InterruptedException {
        return least(figures -> figures.noMoreThan(limit), Duration.ofSeconds(60));
    }

    private Figures least(Predicate<Figures> good, Duration patience) throws InterruptedException {
        long giveUp = System.nanoTime() + patience.toNanos();
        Figures least = read();
        while (!good.test(least) && System.nanoTime() < giveUp) {
            System.gc();
            Thread.sleep(20);
            Figures now = read();
            least = new Figures(Math.min(least.threads, now.threads), Math.min(least.services, now.services),
                    Math.min(least.descriptors, now.descriptors), Math.min(least.loaders, now.loaders));
        }
        return least;
    }

    /** Which of the watched class loaders are still reachable. */
    public List<String> loaders() {
        return loaders.stream().map(loader -> String.valueOf(loader.get())).toList();
    }

    private Figures read() {
        loaders.removeIf(loader -> loader.refersTo(null));
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return new Figures(Thread.getAllStackTraces().size(),
                    context.getAllServiceReferences(null, null).length, (int) descriptors.count(), loaders.size());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
