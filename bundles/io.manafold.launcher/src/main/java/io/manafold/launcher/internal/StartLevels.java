package io.manafold.launcher.internal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.startlevel.FrameworkStartLevel;

/** Hears when the framework has gone through all its start levels; the level it names alone says only where it is. */
final class StartLevels implements FrameworkListener {
    /** Said by the composition: the outer launcher begins with level 1 and hides the one it goes on to. */
    private static final String LAST = "manafold.start.level";

    private final FrameworkStartLevel level;
    private final int last;
    private final CountDownLatch done = new CountDownLatch(1);

    StartLevels(BundleContext context) {
        level = context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).adapt(FrameworkStartLevel.class);
        last = Integer.parseInt(context.getProperty(LAST));
        context.addFrameworkListener(this);
    }

    @Override
    public void frameworkEvent(FrameworkEvent event) {
        if (event.getType() == FrameworkEvent.STARTLEVEL_CHANGED && level.getStartLevel() >= last) {
            done.countDown();
        }
    }

    /** Whether a bundle is among those that are to be started. */
    boolean reached(Bundle bundle) {
        return bundle.adapt(BundleStartLevel.class).getStartLevel() <= last;
    }

    /** Whether all bundles were asked to start within the limit. */
    boolean await(Duration limit) throws InterruptedException {
        return done.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
}
