package io.manafold.dropin.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleException;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts dropped bundles on the watcher's own start level, so that they stop with it and not after what they use.
 *
 * <p>A framework notes a bundle's new start level at once and acts on it later, one request after the other. A host
 * that gives each bundle a level of its own as it comes or changes (a high one, as bnd's launcher does) thereby leaves
 * a request behind which stops the bundle even though its level has been lowered and it has been started meanwhile. So
 * nothing is started before the requests so far have been acted on. To know when that is, an empty bundle is sent after
 * them: one that is to run, on a level that is not reached, until its own request lowers it.
 */
final class StartLevels {
    static final String MARKER = "drivers/start-level-marker";

    private static final Logger LOG = LoggerFactory.getLogger(StartLevels.class);

    private final BundleContext context;
    private final CompletableFuture<?> closed;
    private final Duration limit;
    private final AtomicBoolean isUnderWay = new AtomicBoolean();
    /** There is one empty bundle at a time, and what another thread waits for is waited for here, too. */
    private final Semaphore turn = new Semaphore(1);

    /**
     * @param limit how long the framework is waited for
     * @param closed ends a wait
     */
    StartLevels(BundleContext context, Duration limit, CompletableFuture<?> closed) {
        this.context = context;
        this.limit = limit;
        this.closed = closed;
    }

    void adjust(Bundle bundle) {
        BundleStartLevel its = bundle.adapt(BundleStartLevel.class);
        if (its.getStartLevel() != ours()) {
            boolean higher = its.getStartLevel() > ours();
            its.setStartLevel(ours());
            if (higher) {
                // afterwards, so that the empty bundle of another thread is sent after this request, too
                isUnderWay.set(true);
            }
        }
    }

    private int ours() {
        return context.getBundle().adapt(BundleStartLevel.class).getStartLevel();
    }

    /** Returns when what has been asked for is so, or after a time limit; any thread may call. */
    void settle() {
        long end = System.nanoTime() + limit.toNanos();
        try {
            if (!turn.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                tooLong();
                return;
            }
            try {
                if (isUnderWay.getAndSet(false)) {
                    await(end);
                }
            } finally {
                turn.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tooLong() {
        LOG.warn("the framework has not acted on start levels for {} ms; a bundle that is slow to start may hold it up",
                limit.toMillis());
    }

    private void await(long end) throws InterruptedException {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        SynchronousBundleListener listener = event -> {
            if (event.getType() == BundleEvent.STARTED && event.getBundle().getLocation().equals(MARKER)) {
                arrived.complete(null);
            }
        };
        context.addBundleListener(listener);
        try {
            Bundle marker = context.installBundle(MARKER, empty());
            try {
                BundleStartLevel level = marker.adapt(BundleStartLevel.class);
                level.setStartLevel(Integer.MAX_VALUE);
                marker.start();
                level.setStartLevel(ours());
                CompletableFuture.anyOf(arrived, closed).get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } finally {
                marker.uninstall();
            }
        } catch (TimeoutException e) {
            tooLong();
        } catch (BundleException | ExecutionException | IllegalStateException e) {
            // the empty bundle may have been uninstalled by hand: that says nothing of the one that is to start
            LOG.warn("start levels were not waited for: {}", Wording.reason(e));
        } finally {
            context.removeBundleListener(listener);
        }
    }

    private static InputStream empty() {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.putValue("Bundle-ManifestVersion", "2");
        headers.putValue("Bundle-SymbolicName", "io.manafold.dropin.marker");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            jar.finish();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
