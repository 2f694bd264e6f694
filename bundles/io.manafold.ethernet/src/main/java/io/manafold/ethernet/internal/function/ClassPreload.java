package io.manafold.ethernet.internal.function;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.osgi.annotation.bundle.Header;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Loads and checks the driver's classes before they are needed. A version that waits for another one's devices has all
 * of them when its service comes, so that none is time without a device. One that finds functions without a driver
 * loads them on a thread of its own, beside what makes the driver's component and beside the bring-up: an activator is
 * asked first.
 */
@Header(name = Constants.BUNDLE_ACTIVATOR, value = "${@class}")
public final class ClassPreload implements BundleActivator, Runnable {
    private static final String CLASS = ".class";

    private Bundle bundle;

    @Override
    public void start(BundleContext context) {
        bundle = context.getBundle();
        Services services = new Services(context);
        if (services.hasDevices()) {
            run();
        } else if (services.hasFunctions()) {
            Thread beside = new Thread(null, this, "manafold-ethernet-classes", 0, false);
            beside.setDaemon(true);
            beside.setContextClassLoader(null);
            beside.start();
        }
    }

    @Override
    public void stop(BundleContext context) {
        // what is not loaded by now is not needed: a loader that is gone ends the thread
    }

    @Override
    public void run() {
        try {
            load();
        } catch (IllegalStateException | LinkageError gone) {
            // the bundle was stopped meanwhile, or the code that needs the class will say what is wrong with it
            return;
        }
    }

    /** On return all classes of the bundle are there. */
    private void load() {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        if (wiring == null) {
            throw new IllegalStateException("The bundle was stopped and is not resolved any more.");
        }
        String own = ClassPreload.class.getPackageName().replace('.', '/');
        Collection<String> found = wiring.listResources(own.substring(0, own.lastIndexOf('/')), '*' + CLASS,
                BundleWiring.LISTRESOURCES_LOCAL | BundleWiring.LISTRESOURCES_RECURSE);
        ClassLoader loader = wiring.getClassLoader();
        if (found == null || loader == null) {
            throw new IllegalStateException("The bundle is replaced already.");
        }
        List<String> files = new ArrayList<>(found);
        // the bring-up comes from the other end: from the function to its ports and their queues
        files.sort(Collections.reverseOrder());
        for (String file : files) {
            String name = file.substring(0, file.length() - CLASS.length()).replace('/', '.');
            try {
                Class.forName(name, true, loader);
            } catch (ClassNotFoundException gone) {
                throw new IllegalStateException(gone);
            }
        }
    }
}
