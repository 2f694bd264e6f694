package io.manafold.ethernet.internal.function;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/**
 * The driver's classes are loaded and checked before they are needed: by a version that waits for another one's devices all of
 * them, so that none is time without a device; by one that finds functions without a driver beside the bring-up, which
 * begins with waiting for the function.
 */
final class HeadStart {
    private static final String CLASS = ".class";

    private final ClassLoader loader;
    private final List<String> files;

    private HeadStart(Bundle bundle) {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        String own = HeadStart.class.getPackageName().replace('.', '/');
        Collection<String> found = wiring.listResources(own.substring(0, own.lastIndexOf('/')), '*' + CLASS,
                BundleWiring.LISTRESOURCES_LOCAL | BundleWiring.LISTRESOURCES_RECURSE);
        loader = wiring.getClassLoader();
        files = new ArrayList<>(found);
        // the bring-up comes from the other end: from the function to its ports and their queues
        files.sort(Collections.reverseOrder());
    }

    /** Has all classes of the bundle loaded; they are on return. */
    static void take(Bundle bundle) {
        new HeadStart(bundle).load();
    }

    /** Returns at once. */
    static void takeBeside(Bundle bundle) {
        HeadStart start = new HeadStart(bundle);
        Thread.ofPlatform().daemon().name("manafold-ethernet-classes").start(start::loadWhileThere);
    }

    private void loadWhileThere() {
        try {
            load();
        } catch (IllegalStateException | LinkageError gone) {
            // the bundle was stopped meanwhile, or the code that needs the class will say what is wrong with it
            return;
        }
    }

    private void load() {
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
